//! Bytes to frames and back, with the size bound in front. Knows nothing of what frames mean.

use minicbor::{Decode, Encode};
use weevil_model::limits::MAX_FRAME_BYTES;

use crate::frame::{AttemptResult, ClientFrame, Outcome, ServerFrame};

/// What most frames without large values fit into.
const FRAME_BYTES: usize = 256;

/// Why a message is not a frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    #[error("the message has {found} bytes; at most {max} are allowed")]
    TooLarge { found: usize, max: usize },
    #[error("the message is not a frame of this protocol: {0}")]
    Malformed(String),
}

fn decode<'b, T: Decode<'b, ()>>(bytes: &'b [u8]) -> Result<T, FrameError> {
    if bytes.len() > MAX_FRAME_BYTES {
        return Err(FrameError::TooLarge { found: bytes.len(), max: MAX_FRAME_BYTES });
    }
    minicbor::decode(bytes).map_err(|error| FrameError::Malformed(error.to_string()))
}

/// `values` bytes of them are values: memory is asked for once.
fn encode<T: Encode<()>>(frame: &T, values: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values + FRAME_BYTES);
    // A Vec never refuses bytes.
    let _infallible = minicbor::encode(frame, &mut bytes);
    bytes
}

impl ClientFrame {
    /// Looks at the head alone: does a message claim to be a hello?
    pub fn is_hello(bytes: &[u8]) -> bool {
        let mut from = minicbor::Decoder::new(bytes);
        matches!((from.array(), from.u32()), (Ok(Some(2)), Ok(0)))
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        decode(bytes)
    }

    pub fn encode(&self) -> Vec<u8> {
        let value = |result: &AttemptResult| match &result.outcome {
            Outcome::Value(bytes) => bytes.len(),
            Outcome::Error(_) => 0,
        };
        match self {
            Self::Results { results, .. } => encode(self, results.iter().map(value).sum()),
            _ => encode(self, 0),
        }
    }
}

impl ServerFrame {
    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        decode(bytes)
    }

    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Assign { jobs, .. } => encode(self, jobs.iter().map(|job| job.input.len()).sum()),
            _ => encode(self, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::*;
    use crate::standing::{Standing, StandingRank};

    const KEY: AttemptKey = AttemptKey { job: 7, token: i64::MAX };
    const STANDING: Standing = Standing {
        rank: StandingRank::Established,
        given: 61,
        confirmed: 40,
        waiting: 20,
        refused: 1,
        rests_until: Some(1_784_600_000_000),
    };

    #[test]
    fn client_frames_round_trip() {
        let error =
            JobError { kind: JobErrorKind::Thrown, message: "no".into(), stack: "at weevil_main".into() };
        let result = |outcome| AttemptResult {
            key: KEY,
            outcome,
            slot: 1,
            compute_us: 50_000,
            flops: 2e7,
            log: Some("one\ntwo \u{1F41B}".into()),
        };
        let (key, signature) = (vec![4; 65].into(), vec![1; 64].into());
        let identity = Identity { kind: KeyKind::P256, key, signature, token: None };
        for frame in [
            ClientFrame::Hello(Hello {
                version: 1,
                agent: "Chromium".into(),
                slots: 2,
                capacity: 8,
                capabilities: Some(5),
                memory_mb: None,
                adapter: Some("amd rdna-2".into()),
                keeps_gpu: None,
            }),
            ClientFrame::Hello(Hello {
                version: 1,
                agent: "Firefox".into(),
                slots: 2,
                capacity: 8,
                capabilities: Some(1),
                memory_mb: None,
                adapter: None,
                keeps_gpu: Some(true),
            }),
            ClientFrame::Results {
                results: vec![result(Outcome::Value(vec![0xf7].into())), result(Outcome::Error(error))],
                capacity: 4,
            },
            ClientFrame::Heartbeat {
                holding: vec![KEY],
                slots: 1,
                capacity: 0,
                progress: vec![],
                duty: None,
            },
            ClientFrame::Heartbeat {
                holding: vec![],
                slots: 1,
                capacity: 0,
                progress: vec![(KEY, 0.5)],
                duty: Some(25),
            },
            ClientFrame::Yield { attempts: vec![KEY, KEY], capacity: 2 },
            ClientFrame::Bye,
            ClientFrame::Identity(identity.clone()),
            ClientFrame::Identity(Identity { token: Some(Token("wvt_1".into())), ..identity.clone() }),
        ] {
            assert_eq!(ClientFrame::decode(&frame.encode()), Ok(frame));
        }
    }

    #[test]
    fn an_identity_without_a_token_is_what_it_was_before_there_were_any() {
        let (key, signature) = (vec![4].into(), vec![1].into());
        let identity = Identity { kind: KeyKind::P256, key, signature, token: None };
        let told = format!("{:?}", Identity { token: Some(Token("wvt_1".into())), ..identity.clone() });
        assert!(told.contains("token: Some(Token)") && !told.contains("wvt_1"), "{told}");
        assert_eq!(ClientFrame::Identity(identity).encode(), b"\x82\x05\x81\x83\x01\x41\x04\x41\x01");
    }

    #[test]
    fn a_heartbeat_without_progress_is_what_it_was_before_there_was_any() {
        let key = AttemptKey { job: 7, token: 11 };
        for (progress, duty, bytes) in [
            (vec![], None, &b"\x82\x02\x83\x81\x82\x07\x0b\x02\x04"[..]),
            (vec![], Some(25), b"\x82\x02\x85\x81\x82\x07\x0b\x02\x04\x80\x18\x19"),
            (
                vec![(key, 0.5)],
                None,
                b"\x82\x02\x84\x81\x82\x07\x0b\x02\x04\x81\x82\x82\x07\x0b\xfb\x3f\xe0\0\0\0\0\0\0",
            ),
        ] {
            let frame = ClientFrame::Heartbeat { holding: vec![key], slots: 2, capacity: 4, progress, duty };
            assert_eq!((frame.encode().as_slice(), ClientFrame::decode(bytes)), (bytes, Ok(frame)));
        }
    }

    #[test]
    fn a_result_without_a_log_is_what_it_was_before_there_was_any() {
        let key = AttemptKey { job: 7, token: 11 };
        for (log, bytes) in [
            (
                None,
                &b"\x82\x01\x82\x81\x85\x82\x07\x0b\x82\0\x81\x41\xf7\x02\x03\xfb\0\0\0\0\0\0\0\0\x04"[..],
            ),
            (
                Some("hi".into()),
                b"\x82\x01\x82\x81\x86\x82\x07\x0b\x82\0\x81\x41\xf7\x02\x03\xfb\0\0\0\0\0\0\0\0\x62hi\x04",
            ),
        ] {
            let outcome = Outcome::Value(vec![0xf7].into());
            let result = AttemptResult { key, outcome, slot: 2, compute_us: 3, flops: 0.0, log };
            let frame = ClientFrame::Results { results: vec![result], capacity: 4 };
            assert_eq!((frame.encode().as_slice(), ClientFrame::decode(bytes)), (bytes, Ok(frame)));
        }
    }

    #[test]
    fn server_frames_round_trip() {
        let code = CodeRef {
            workflow: [1; 32],
            code: [2; 32],
            workflow_name: "pi".into(),
            source: "pi.js".into(),
            kind: None,
        };
        let module = CodeRef { kind: Some(CodeKind::Wasm), ..code.clone() };
        let job = Assignment {
            key: KEY,
            code: 0,
            input: vec![0x80].into(),
            seed: u64::MAX,
            timeout_ms: 1000,
            deterministic: Some(true),
        };
        for frame in [
            ServerFrame::Welcome(Welcome {
                version: 1,
                worker: "wrk_0000000000000".into(),
                lease_ms: 60_000,
                heartbeat_ms: 20_000,
                max_value_bytes: 1,
                nonce: Some(vec![9; 32].into()),
            }),
            ServerFrame::Assign { codes: vec![code, module], jobs: vec![job] },
            ServerFrame::Verdicts(vec![(KEY, Verdict::Accepted), (KEY, Verdict::Superseded)]),
            ServerFrame::Revoke(vec![KEY]),
            ServerFrame::Refused { message: "reload".into(), reload: true },
            ServerFrame::SentAway { message: "no more".into() },
            ServerFrame::Drain { within_ms: 10_000 },
            ServerFrame::Pace { heartbeat_ms: 45_000 },
            ServerFrame::Heard,
            ServerFrame::Standing(STANDING),
            ServerFrame::Standing(Standing { rests_until: None, ..STANDING }),
        ] {
            assert_eq!(ServerFrame::decode(&frame.encode()), Ok(frame));
        }
    }

    #[test]
    fn a_standing_is_read_whatever_a_newer_server_adds_to_it() {
        let without_a_rest = Standing { rests_until: None, ..STANDING };
        for (bytes, standing) in [
            (&b"\x82\x08\x81\x85\x01\x18\x3d\x18\x28\x14\x01"[..], without_a_rest),
            (b"\x82\x08\x81\x86\x01\x18\x3d\x18\x28\x14\x01\x1b\0\0\x01\x9f\x82\x72\xf6\0", STANDING),
            (b"\x82\x08\x82\x87\x01\x18\x3d\x18\x28\x14\x01\xf6\x07\x08", without_a_rest),
        ] {
            assert_eq!(ServerFrame::decode(bytes), Ok(ServerFrame::Standing(standing)), "{bytes:x?}");
        }
    }

    #[test]
    fn a_frame_of_a_newer_server_is_an_error_that_a_worker_skips() {
        for bytes in [&b"\x82\x18\x63\x81\x01"[..], b"\x82\x08\x81\x85\x09\x01\x01\x01\x01"] {
            assert!(matches!(ServerFrame::decode(bytes), Err(FrameError::Malformed(_))), "{bytes:x?}");
        }
    }

    #[test]
    fn a_code_without_a_kind_is_javascript_and_costs_no_byte() {
        let code = |kind| CodeRef {
            workflow: [0; 32],
            code: [0; 32],
            workflow_name: String::new(),
            source: String::new(),
            kind,
        };
        let bytes = |kind| ServerFrame::Assign { codes: vec![code(kind)], jobs: vec![] }.encode();
        assert_eq!(bytes(Some(CodeKind::Wasm)).len(), bytes(None).len() + 1);
        assert_eq!(code(None).kind(), CodeKind::JavaScript);
    }

    #[test]
    fn the_kind_of_code_follows_from_needs() {
        use weevil_model::Capabilities;
        for (needs, kind) in [
            (0, CodeKind::JavaScript),
            (1, CodeKind::JavaScript),
            (3, CodeKind::WebCl),
            (4, CodeKind::Wasm),
            (5, CodeKind::JavaScript),
            (7, CodeKind::WebCl),
        ] {
            assert_eq!(CodeKind::of(Capabilities(needs)), kind, "{needs}");
        }
    }

    #[test]
    fn a_list_that_is_too_long_is_refused_by_its_head() {
        let most = u64::from(weevil_model::limits::MAX_IN_FLIGHT);
        for (variant, behind) in [(1, &b"\x00"[..]), (2, b"\x00\x00"), (3, b"\x00")] {
            for (announced, words) in [
                (most + 1, "it names 2049 attempts; a worker holds at most 2048"),
                (u64::MAX, "it names 18446744073709551615"),
            ] {
                let mut to = minicbor::Encoder::new(Vec::new());
                to.array(2).unwrap().u32(variant).unwrap().array(2).unwrap().array(announced).unwrap();
                let bytes = [to.into_writer(), behind.to_vec()].concat();
                let refused = ClientFrame::decode(&bytes).unwrap_err().to_string();
                assert!(refused.contains(words), "{variant}: {refused}");
            }
        }
        let holding = vec![KEY; usize::try_from(most).unwrap()];
        let frame = ClientFrame::Yield { attempts: holding, capacity: 1 };
        assert_eq!(ClientFrame::decode(&frame.encode()), Ok(frame));
    }

    #[test]
    fn texts_are_cut_where_they_lie() {
        use weevil_model::limits::{MAX_ADAPTER_CHARS, MAX_AGENT_CHARS, MAX_ERROR_CHARS, MAX_LOG_CHARS};
        let bugs = |count| "\u{1F41B}".repeat(count);
        let error = |chars| JobError { kind: JobErrorKind::Thrown, message: bugs(chars), stack: bugs(chars) };
        let results = |chars, log| {
            let outcome = Outcome::Error(error(chars));
            let result = AttemptResult { key: KEY, outcome, slot: 0, compute_us: 0, flops: 0.0, log };
            ClientFrame::Results { results: vec![result], capacity: 0 }
        };
        let hello = |chars, adapter: Option<&str>| {
            let (version, slots, capacity) = (1, 1, 1);
            ClientFrame::Hello(Hello {
                version,
                agent: bugs(chars),
                slots,
                capacity,
                capabilities: None,
                memory_mb: None,
                adapter: adapter.map(str::to_owned),
                keeps_gpu: None,
            })
        };
        let long = bugs(MAX_ADAPTER_CHARS + 1);
        for (sent, read) in [
            (hello(MAX_AGENT_CHARS + 1, None), hello(MAX_AGENT_CHARS, None)),
            (hello(1, Some(&long)), hello(1, Some(&bugs(MAX_ADAPTER_CHARS)))),
            (hello(1, Some(" amd\u{1b}[2J\n rdna-2\0 ")), hello(1, Some("amd[2J rdna-2"))),
            (hello(1, Some("\n\t")), hello(1, None)),
            (results(MAX_ERROR_CHARS + 1, None), results(MAX_ERROR_CHARS, None)),
            (results(1, Some(bugs(MAX_LOG_CHARS + 1))), results(1, Some(bugs(MAX_LOG_CHARS)))),
        ] {
            assert_eq!(ClientFrame::decode(&sent.encode()), Ok(read));
        }
    }

    #[test]
    fn a_hello_is_known_by_its_head() {
        for (bytes, expected) in [
            (&b"\x82\x00\x84"[..], true),
            (b"\x82\x00", true),
            (b"\x82\x01\x84", false),
            (b"\x81\x00", false),
            (b"\x9f\x00", false),
            (b"", false),
        ] {
            assert_eq!(ClientFrame::is_hello(bytes), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn garbage_is_an_error_not_a_panic() {
        for bytes in [
            &b""[..],
            b"\xff",
            b"hello",
            b"\x82\x18\x63\x80",
            b"\x82\x01\x9b\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert!(matches!(ClientFrame::decode(bytes), Err(FrameError::Malformed(_))));
        }
        let large = vec![0; MAX_FRAME_BYTES + 1];
        assert!(matches!(ClientFrame::decode(&large), Err(FrameError::TooLarge { .. })));
    }
}
