//! The text of a document piece by piece, and what its characters may be.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::nesting::Nesting;
use crate::codes;
use crate::document::Document;
use crate::findings::{Findings, quoted};

/// The text of a document without a byte order mark; if it is not UTF-8, the part before the problem and what it is.
pub(crate) fn decode(bytes: &[u8]) -> (&str, Option<String>) {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(problem) => {
            let valid = &bytes[..problem.valid_up_to()];
            let byte = bytes[valid.len()];
            let message = format!("the byte 0x{byte:02x} is not UTF-8, which is expected");
            (std::str::from_utf8(valid).unwrap_or_default(), Some(message))
        }
    }
}

/// The document, unless problems leave its structure in doubt.
pub(crate) fn parse<'t>(text: &'t str, findings: &mut Findings<'t>) -> Option<Document<'t>> {
    illegal_character(text, findings);
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    let mut nesting = Nesting::new(text, findings);
    loop {
        let start = offset(reader.buffer_position());
        match reader.read_event() {
            Ok(Event::Eof) => break,
            Ok(event) => {
                let end = offset(reader.buffer_position());
                if markup(&event, start, end, &mut nesting).is_break() {
                    break;
                }
            }
            Err(problem) => {
                nesting.broken_off(offset(reader.error_position()), &problem);
                return None;
            }
        }
    }
    nesting.finish().map(|root| Document { root })
}

fn markup(
    event: &Event<'_>,
    start: usize,
    end: usize,
    nesting: &mut Nesting<'_, '_>,
) -> std::ops::ControlFlow<()> {
    match event {
        Event::Start(_) => return nesting.start_tag(start, end - 1, false),
        Event::Empty(_) => return nesting.start_tag(start, end - 2, true),
        Event::End(_) => nesting.end_tag(start, end - 1),
        Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => nesting.text(start, end),
        Event::Comment(_) => nesting.comment(start, end),
        Event::DocType(_) => nesting.doctype(start),
        Event::Decl(declaration) => {
            let encoding = declaration.encoding().and_then(Result::ok);
            nesting.declaration(start..end, encoding.as_deref());
        }
        Event::PI(_) | Event::Eof => {}
    }
    std::ops::ControlFlow::Continue(())
}

/// Offsets come from a slice, so they fit.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// The characters of XML 1.0 section 2.2.
pub(super) fn is_xml_character(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}

fn illegal_character(text: &str, findings: &mut Findings<'_>) {
    if let Some((at, letter)) = text.char_indices().find(|(_, letter)| !is_xml_character(*letter)) {
        let message = format!("the character U+{:04X} is not allowed in XML", u32::from(letter));
        let help = Some("delete it".to_owned());
        findings.report(&codes::MALFORMED_XML, at..at + letter.len_utf8(), message, help);
    }
}

pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | ':'))
        && letters.all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | ':' | '-' | '.'))
}

pub(super) fn found(text: &str) -> String {
    text.chars()
        .next()
        .map_or_else(|| "the end of the tag".to_owned(), |letter| quoted(letter.encode_utf8(&mut [0; 4])))
}
