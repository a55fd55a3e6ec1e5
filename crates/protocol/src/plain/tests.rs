//! Every message there and back, and what is refused.

use std::fmt::Debug;

use weevil_model::{ContentHash, JobId, JobType, WorkerId};

use super::*;
use weevil_model::Capabilities;

use crate::frame::{AttemptKey, JobError, JobErrorKind, Verdict};

const KEY: AttemptKey = AttemptKey { job: 7, token: i64::MAX };
const CREDENTIALS: &str = r#"worker="wrk_0000000000001" secret="s""#;

fn pass() -> Pass {
    Pass { worker: WorkerId::from_number(1).unwrap(), secret: Secret("s".into()) }
}

#[expect(clippy::needless_pass_by_value, reason = "reads as a table")]
fn round_trip<M: PartialEq + Debug>(
    message: M,
    write: impl Fn(&M) -> String,
    read: impl Fn(&[u8]) -> Result<M, PlainError>,
) {
    let xml = write(&message);
    assert_eq!(read(xml.as_bytes()).as_ref(), Ok(&message), "{xml}");
}

#[test]
fn requests_round_trip() {
    let join = Join {
        protocol: PLAIN_VERSION,
        browser_type: "a \"<&>' \t\r\n \u{1F41B}".into(),
        capabilities: Capabilities(5),
        memory_mb: 2048,
        location: Some("Amsterdam".into()),
        slots: 2,
        values: Values::Cbor,
        token: Some(Secret("wvt_".into())),
    };
    round_trip(Join { location: None, token: None, ..join.clone() }, Join::to_xml, Join::parse);
    round_trip(join, Join::to_xml, Join::parse);
    for wait_ms in [None, Some(0)] {
        round_trip(Dequeue { pass: pass(), max: 3, wait_ms }, Dequeue::to_xml, Dequeue::parse);
    }
    let report = |(finding, log): (_, Option<&str>)| {
        let log = log.map(str::to_owned);
        Report { key: KEY, slot: 1, compute_us: u64::MAX, flops: 0.1, log, finding }
    };
    let error = |text: &str| {
        Finding::Error(JobError { kind: JobErrorKind::Thrown, message: text.into(), stack: text.into() })
    };
    let findings = [
        (Finding::Value(r#"{"a":"<&>\r\n"}"#.into()), None),
        (Finding::Value(String::new()), Some("a < b\n\n c")),
        (error("no <b>\r\n\tat x & y"), Some("warn: \u{1F41B}")),
        (error(""), None),
    ];
    let reports = findings.map(report).into();
    round_trip(Submit { pass: pass(), reports }, Submit::to_xml, Submit::parse);
    let holding = [None, Some(0.5)].map(|progress| Held { key: KEY, progress }).into();
    round_trip(Heartbeat { pass: pass(), holding }, Heartbeat::to_xml, Heartbeat::parse);
    round_trip(Leave(pass()), Leave::to_xml, Leave::parse);
}

#[test]
fn answers_round_trip() {
    let joined = Joined {
        pass: pass(),
        protocol: 1,
        lease_ms: 60_000,
        heartbeat_ms: 20_000,
        dequeue_ms: 1_000,
        max_value_bytes: 16,
    };
    round_trip(joined, Joined::to_xml, Joined::parse);
    let job = Job {
        workflow: ContentHash::of(b"w"),
        key: KEY,
        deadline_ms: 60_000,
        job_type: JobType::Wasm,
        code: ContentHash::of(b"c"),
        src: "Add.js".into(),
        seed: u64::MAX,
        timeout_ms: 300_000,
        arguments: r#"[44,"<&>"]"#.into(),
    };
    for jobs in [vec![], vec![job.clone()], vec![job.clone(), job]] {
        round_trip(Jobs { dequeue_ms: 5, batch: 3, jobs }, Jobs::to_xml, Jobs::parse);
    }
    let verdicts =
        [(Verdict::Accepted, Some("not JSON".into())), (Verdict::Superseded, None), (Verdict::Unknown, None)];
    let answers = verdicts.map(|(verdict, refused)| Answer { key: KEY, verdict, refused });
    round_trip(Verdicts(answers.into()), Verdicts::to_xml, Verdicts::parse);
    let attempts =
        [Renewal::Renewed, Renewal::Revoked, Renewal::Expired].map(|renewal| (KEY, renewal)).into();
    round_trip(Renewals { heartbeat_ms: 3, attempts }, Renewals::to_xml, Renewals::parse);
    round_trip(Left, |_| Left.to_xml(), Left::parse);
    let refused = Refused { code: "wrongSecret".into(), message: "no & never".into() };
    round_trip(refused, Refused::to_xml, Refused::parse);
}

#[test]
fn other_ways_to_write_the_same_are_read() {
    let expected = Leave(pass());
    for xml in [
        format!(
            "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>\n<!-- bye --><leave {CREDENTIALS}></leave>\n"
        ),
        "<leave secret = '&#115;'\n\tworker='wrk_000000000000&#x31;' />".to_owned(),
    ] {
        assert_eq!(Leave::parse(xml.as_bytes()).as_ref(), Ok(&expected), "{xml}");
    }
    let cdata = format!(
        r#"<submit {CREDENTIALS}><result job_id="{}" token="1"><value><![CDATA["<]]>&amp;"</value></result></submit>"#,
        JobId::from_number(7).unwrap()
    );
    let read = Submit::parse(cdata.as_bytes()).unwrap();
    assert_eq!(read.reports[0].finding, Finding::Value(r#""<&""#.into()));
}

#[test]
fn what_xml_cannot_hold_is_replaced_in_messages() {
    let refused = Refused { code: "x".into(), message: "a\0b\u{FFFF}".into() };
    assert_eq!(Refused::parse(refused.to_xml().as_bytes()).unwrap().message, "a\u{FFFD}b\u{FFFD}");
}

#[test]
fn mistakes_are_told_with_their_place_and_the_cure() {
    let attempt = r#"<attempt job_id="job_0000000000007" token="1"/>"#;
    for (body, found) in [
        ("", "the body is empty; send one XML element"),
        ("no XML", "line 1: text outside the message"),
        ("{\"json\": 1}", "line 1: text outside the message"),
        ("<heartbeat", "line 1: this is not XML"),
        ("<heartbeat>", "line 1, <heartbeat>: it is never closed; close it"),
        ("<heartbeat>\n</leave>", "line 2, <heartbeat>: this is not XML"),
        ("<heartbeat/><heartbeat/>", "line 1: a second element follows"),
        ("<leave/>", "line 1, <leave>: <heartbeat> is expected"),
        ("<heartbeat/>", "line 1, <heartbeat>: the attribute `worker` is missing; write worker=\"..\""),
        ("<heartbeat worker='me'/>", "`worker` is `me`: `me` is not a worker id"),
        ("<heartbeat worker='1' worker='2'/>", "an attribute cannot be read"),
        (
            "<heartbeat CREDENTIALS capacity='1'/>",
            "the attribute `capacity` is not known; `worker`, `secret` are",
        ),
        (
            "<heartbeat CREDENTIALS>\n\n<job/>\n</heartbeat>",
            "line 3, <job>: stands in <heartbeat>, where <attempt>",
        ),
        (
            "<heartbeat CREDENTIALS>\n<attempt token='1'/>\n</heartbeat>",
            "line 2, <attempt>: the attribute `job_id`",
        ),
        ("<heartbeat CREDENTIALS><attempt job_id='job_7' token='1'/></heartbeat>", "`job_7` is not a job id"),
        ("<heartbeat CREDENTIALS>ATTEMPTtext</heartbeat>", "<heartbeat>: text between its elements"),
        ("<heartbeat CREDENTIALS/>\0", "the character U+0000 is not allowed in XML"),
        ("<heartbeat worker='&#1;' secret=''/>", "holds a character that XML does not allow"),
        ("<heartbeat worker='&who;' secret=''/>", "the value of `worker` cannot be read"),
        ("<heartbeat CREDENTIALS>&who;</heartbeat>", "<heartbeat>: the entity `&who;` is refused"),
        (
            "<!DOCTYPE heartbeat [<!ENTITY a 'aa'>]>\n<heartbeat/>",
            "line 1: document types are refused; delete",
        ),
        ("<?xml version='1.0' encoding='latin1'?><heartbeat/>", "names another encoding; say and use UTF-8"),
    ] {
        let body = body.replace("CREDENTIALS", CREDENTIALS).replace("ATTEMPT", attempt);
        let error = Heartbeat::parse(body.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(found), "{body}\n{error}");
    }
    assert!(Heartbeat::parse(b"<heartbeat \xff/>").unwrap_err().to_string().contains("not UTF-8"));
}

#[test]
fn a_result_has_exactly_one_end() {
    for (inside, found) in [
        ("", "<result>: it holds no <value> or <error>, or more than one"),
        ("<value>1</value><value>2</value>", "or more than one; keep exactly one"),
        ("<log>said</log>", "<result>: it holds no <value> or <error>, or more than one"),
        ("<value>1</value><log/><log/>", "it holds <log> twice"),
        ("<value>1</value><log level='1'/>", "<log>: the attribute `level` is not known"),
        ("<value><b/></value>", "<b>: stands in <value>, where nothing may stand"),
        ("<value type='Number'>1</value>", "<value>: the attribute `type` is not known"),
        ("<error/>", "<error>: the attribute `kind` is missing"),
        ("<error kind='bad'/>", "<error>: `kind` is `bad`; `thrown`, `timeout`, `tooLarge`, `notAValue`"),
        ("<error kind='thrown'/>", "<error>: <message> is missing in it"),
        ("<error kind='thrown'><message/><message/></error>", "it holds <message> twice"),
    ] {
        let body = format!(
            "<submit {CREDENTIALS}><result job_id='job_0000000000007' token='1'>{inside}</result></submit>"
        );
        let error = Submit::parse(body.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(found), "{inside}\n{error}");
    }
}

#[test]
fn hostile_bodies_stay_within_their_bounds() {
    let many =
        |count: usize, what: &str| format!("<heartbeat {CREDENTIALS}>{}</heartbeat>", what.repeat(count));
    let attempt = "<attempt job_id='job_0000000000007' token='1'/>";
    let wide = (0..=MAX_ATTRIBUTES).map(|at| format!("a{at}=''")).collect::<Vec<_>>().join(" ");
    for (body, found) in [
        ("<a>".repeat(100_000), "elements nest more than 8 deep"),
        (many(2049, attempt), "2049 attempts are named; a worker holds at most 2048"),
        (many(1_000_000, "<a/>"), "there are more than 10241 elements"),
        (format!("<heartbeat {wide}/>"), "there are more than 16 attributes"),
        (format!("<{}/>", "x".repeat(1_000_000)), "<heartbeat> is expected"),
        (format!("<heartbeat {}/>", "x".repeat(1_000_000)), "an attribute cannot be read"),
        (" ".repeat(weevil_model::limits::MAX_FRAME_BYTES + 1), "at most 33554432 are allowed"),
    ] {
        let error = Heartbeat::parse(body.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(found), "{error}");
        assert!(error.len() < 400, "{error}");
    }
}

/// The text of each example in docs/protocol.md, read and written again.
fn rewritten(example: &str) -> Result<String, PlainError> {
    let body = example.as_bytes();
    let name = example.trim_start_matches('<').split([' ', '>', '/']).next().unwrap_or_default();
    Ok(match name {
        "join" => Join::parse(body)?.to_xml(),
        "joined" => Joined::parse(body)?.to_xml(),
        "dequeue" => Dequeue::parse(body)?.to_xml(),
        "jobs" => Jobs::parse(body)?.to_xml(),
        "submit" => Submit::parse(body)?.to_xml(),
        "verdicts" => Verdicts::parse(body)?.to_xml(),
        "heartbeat" => Heartbeat::parse(body)?.to_xml(),
        "renewals" => Renewals::parse(body)?.to_xml(),
        "leave" => Leave::parse(body)?.to_xml(),
        "left" => Left::parse(body)?.to_xml(),
        "refused" => Refused::parse(body)?.to_xml(),
        other => panic!("<{other}> is no message"),
    })
}

#[test]
fn the_examples_of_the_docs_are_what_is_sent() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let page = std::fs::read_to_string(page).unwrap();
    let examples: Vec<&str> =
        page.split("```xml\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0)).collect();
    assert_eq!(examples.len(), 11, "every message once");
    for example in examples {
        assert_eq!(rewritten(example).as_deref(), Ok(example));
    }
}

#[test]
fn a_body_says_at_its_beginning_who_sends_it() {
    let worker = WorkerId::from_number(7).unwrap();
    let pass = Pass { worker, secret: Secret("hush".into()) };
    let tag = format!("<submit worker=\"{worker}\" secret=\"hush\">");
    for (head, expected) in [
        (tag.clone(), true),
        (format!("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- a --> {tag}<result"), true),
        (format!("<submit secret=\"hush\" worker=\"{worker}\"/>"), true),
        (format!("<submit worker=\"{worker}\">"), false),
        ("<submit worker=\"".into(), false),
        ("<!-- and so on".into(), false),
        (format!("<!DOCTYPE submit>{tag}"), false),
        (String::new(), false),
    ] {
        assert_eq!(Pass::peek(head.as_bytes()).ok(), expected.then(|| pass.clone()), "{head}");
    }
    let cut = [tag.as_bytes(), b"\xF0\x9F"].concat();
    assert_eq!(Pass::peek(&cut), Ok(pass), "a character that has come in part");
}
