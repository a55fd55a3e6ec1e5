//! What the fuzzers of frames and of plain bodies begin with, replayed: each file is a message, which is itself again when
//! it is written, or it is refused in words.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use weevil_protocol::frame::ClientFrame;
use weevil_protocol::plain::{Dequeue, Finding, Heartbeat, Join, Leave, PlainError, Submit, Values};

/// The frames; the other files are refused.
const FRAMES: &[&str] = &[
    "bye-and-more.cbor",
    "bye-with-fields.cbor",
    "bye.cbor",
    "deep-skipped.cbor",
    "heartbeat-many.cbor",
    "heartbeat-progress-nan.cbor",
    "heartbeat-progress.cbor",
    "heartbeat.cbor",
    "hello-capabilities.cbor",
    "hello-more-fields.cbor",
    "hello.cbor",
    "identity-p256.cbor",
    "identity.cbor",
    "results-empty.cbor",
    "results-error.cbor",
    "results-half-float.cbor",
    "results-log.cbor",
    "results-many.cbor",
    "results.cbor",
    "yield.cbor",
];

/// The bodies; the other files are refused.
const BODIES: &[&str] = &[
    "comment.xml",
    "dequeue.xml",
    "heartbeat-many.xml",
    "heartbeat.xml",
    "join-least.xml",
    "join.xml",
    "leave.xml",
    "processing-instruction.xml",
    "submit-base64.xml",
    "submit-cdata.xml",
    "submit-deep-json.xml",
    "submit-error.xml",
    "submit-infinite-flops.xml",
    "submit-log.xml",
    "submit-references.xml",
    "submit.xml",
];

/// Name and bytes of each file, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let entries = fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap())
    });
    let mut entries: Vec<_> = entries.collect();
    entries.sort_unstable();
    entries
}

#[test]
fn bytes_are_frames_or_refused() {
    let is_frame = |(name, bytes): &(String, Vec<u8>)| match ClientFrame::decode(bytes) {
        Ok(frame) => {
            let written = frame.encode();
            // Bytes and not frames: NaN is itself here.
            assert_eq!(ClientFrame::decode(&written).unwrap().encode(), written, "{name}");
            true
        }
        Err(refused) => {
            assert!(
                refused.to_string().starts_with("the message is not a frame of this protocol: "),
                "{name}"
            );
            false
        }
    };
    let corpus = corpus("frame");
    let frames: Vec<_> = corpus.iter().filter(|file| is_frame(file)).map(|(name, _)| name).collect();
    assert_eq!(frames, FRAMES);
}

fn there_and_back<M>(
    body: &[u8],
    parse: impl Fn(&[u8]) -> Result<M, PlainError>,
    to_xml: impl Fn(&M) -> String,
) -> Option<M> {
    let message = parse(body).ok()?;
    let xml = to_xml(&message);
    assert_eq!(to_xml(&parse(xml.as_bytes()).unwrap()), xml);
    Some(message)
}

#[test]
fn bytes_are_bodies_or_refused() {
    let is_body = |(_, body): &(String, Vec<u8>)| {
        let submit = there_and_back(body, Submit::parse, Submit::to_xml);
        submit.iter().flat_map(|submit| &submit.reports).for_each(|report| values_come_back(&report.finding));
        let taken = [
            there_and_back(body, Join::parse, Join::to_xml).is_some(),
            there_and_back(body, Dequeue::parse, Dequeue::to_xml).is_some(),
            there_and_back(body, Heartbeat::parse, Heartbeat::to_xml).is_some(),
            there_and_back(body, Leave::parse, Leave::to_xml).is_some(),
            submit.is_some(),
        ];
        taken.contains(&true)
    };
    let corpus = corpus("plain");
    let bodies: Vec<_> = corpus.iter().filter(|file| is_body(file)).map(|(name, _)| name).collect();
    assert_eq!(bodies, BODIES);
}

fn values_come_back(finding: &Finding) {
    let Finding::Value(text) = finding else { return };
    for form in [Values::Json, Values::Cbor] {
        let Ok(value) = form.read(text) else { continue };
        let written = form.write(&value).unwrap();
        assert_eq!(form.write(&form.read(&written).unwrap()), Ok(written), "{text}");
    }
}
