//! Attribute values: XML's five entities, character references, white space (XML 1.0 sections 3.3.3, 4.1, 4.6).

use std::borrow::Cow;

use super::is_xml_character;
use crate::codes;
use crate::findings::{Findings, quoted};

/// Bytes of the longest reference looked for: more than any that means something.
const MAX_REFERENCE: usize = 64;

const PREDEFINED: &[(&str, char)] = &[("lt", '<'), ("gt", '>'), ("amp", '&'), ("quot", '"'), ("apos", '\'')];

/// The value that `raw` at offset `at` denotes. Bad references are reported and left as they stand.
pub(super) fn resolve<'t>(raw: &'t str, at: usize, findings: &mut Findings<'t>) -> Cow<'t, str> {
    let special = |letter: char| matches!(letter, '&' | '\t' | '\n' | '\r');
    if !raw.contains(special) {
        return Cow::Borrowed(raw);
    }
    let mut value = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(next) = rest.find(special) {
        value.push_str(&rest[..next]);
        rest = &rest[next..];
        let used = if rest.starts_with('&') {
            let (letter, used) = reference(rest, at + raw.len() - rest.len(), findings);
            value.push(letter);
            used
        } else {
            value.push(' ');
            if rest.starts_with("\r\n") { 2 } else { 1 }
        };
        rest = &rest[used..];
    }
    value.push_str(rest);
    Cow::Owned(value)
}

/// The character that the reference at the start of `text` denotes, and the bytes it takes.
fn reference(text: &str, at: usize, findings: &mut Findings<'_>) -> (char, usize) {
    let end = text.bytes().take(MAX_REFERENCE).position(|byte| byte == b';');
    let name =
        end.map(|end| &text[1..end]).filter(|name| !name.contains(|c: char| c.is_whitespace() || c == '&'));
    let Some(name) = name else {
        let message = "`&` found without a name and `;` after it".to_owned();
        findings.report(
            &codes::BAD_REFERENCE,
            at..at + 1,
            message,
            Some("write `&amp;` for a plain `&`".to_owned()),
        );
        return ('&', 1);
    };
    let denoted = match name.strip_prefix('#') {
        Some(number) => character(number),
        None => PREDEFINED.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter),
    };
    if let Some(letter) = denoted {
        return (letter, name.len() + 2);
    }
    let message = format!("{} denotes nothing", quoted(&text[..name.len() + 2]));
    let help = "`&lt;` `&gt;` `&amp;` `&quot;` `&apos;` and numbers such as `&#233;` are known";
    findings.report(&codes::BAD_REFERENCE, at..at + name.len() + 2, message, Some(help.to_owned()));
    ('&', 1)
}

fn character(number: &str) -> Option<char> {
    let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |hex| (hex, 16));
    let plain = !digits.is_empty() && digits.chars().all(|digit| digit.is_digit(radix));
    let code = plain.then(|| u32::from_str_radix(digits, radix).ok()).flatten()?;
    char::from_u32(code).filter(|letter| is_xml_character(*letter))
}
