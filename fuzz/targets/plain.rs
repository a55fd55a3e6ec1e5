//! Any bytes as the body of a worker that speaks plain HTTP, in each of its five requests: a message that is itself again
//! when it is written, or refused in words; and the values of its reports in both forms.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_protocol::plain::{Dequeue, Finding, Heartbeat, Join, Leave, PlainError, Submit, Values};

fuzz_target!(|body: &[u8]| {
    there_and_back(body, Join::parse, Join::to_xml);
    there_and_back(body, Dequeue::parse, Dequeue::to_xml);
    there_and_back(body, Heartbeat::parse, Heartbeat::to_xml);
    there_and_back(body, Leave::parse, Leave::to_xml);
    let submit = there_and_back(body, Submit::parse, Submit::to_xml);
    for report in submit.into_iter().flat_map(|submit| submit.reports) {
        let Finding::Value(text) = report.finding else { continue };
        for form in [Values::Json, Values::Cbor] {
            let Ok(value) = form.read(&text) else { continue };
            let written = form.write(&value).expect("it is a value");
            assert_eq!(form.write(&form.read(&written).expect("what was written is read")), Ok(written));
        }
    }
});

fn there_and_back<M>(
    body: &[u8],
    parse: impl Fn(&[u8]) -> Result<M, PlainError>,
    to_xml: impl Fn(&M) -> String,
) -> Option<M> {
    let message = parse(body).ok()?;
    let xml = to_xml(&message);
    let again = parse(xml.as_bytes()).expect("what was written is read");
    assert_eq!(to_xml(&again), xml);
    Some(message)
}
