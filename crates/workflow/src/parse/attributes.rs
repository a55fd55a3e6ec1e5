//! One start tag: its name and attributes, each with its place. Never looks beyond the tag.

use super::references::resolve;
use super::{found, is_name};
use crate::codes;
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};
use crate::limits::MAX_ATTRIBUTES;

const ATTRIBUTE: &str = "attributes are written `name=\"value\"`";

pub(super) struct Tag<'t> {
    pub(super) element: Element<'t>,
    /// Ended by a `/` and blanks before the `>`, as the printed figures break their lines.
    pub(super) closed: bool,
    /// All of it could be read.
    pub(super) sound: bool,
}

/// Reads the tag from its `<` at `start` to its `>` or `/>` at `end`.
pub(super) fn tag<'t>(text: &'t str, start: usize, end: usize, findings: &mut Findings<'t>) -> Tag<'t> {
    let mut scanner = Scanner { text: &text[..end], at: start + 1, findings };
    let name =
        scanner.take(|letter| !letter.is_ascii_whitespace() && !matches!(letter, '/' | '=' | '"' | '\''));
    // As many as there can be: the room for more would be much of a large document's memory.
    let signs = text[start..end].bytes().filter(|byte| *byte == b'=').count();
    let attributes = Vec::with_capacity(signs.min(MAX_ATTRIBUTES));
    let element = Element { name, at: start, attributes, children: Vec::new(), text: None };
    let mut tag = Tag { element, closed: false, sound: is_name(name) };
    if tag.sound {
        scanner.attributes(&mut tag);
    } else {
        let message =
            format!("an element name is expected after `<`, found {}", found(&text[start + 1..end]));
        scanner.malformed(start + 1, message, Some("write `&lt;` for a plain `<`"));
    }
    tag
}

struct Scanner<'t, 'f> {
    /// Up to the end of the tag.
    text: &'t str,
    at: usize,
    findings: &'f mut Findings<'t>,
}

impl<'t> Scanner<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|letter| !wanted(letter)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn skip_blanks(&mut self) -> bool {
        !self.take(|letter| letter.is_ascii_whitespace()).is_empty()
    }

    fn malformed(&mut self, at: usize, message: String, help: Option<&str>) {
        let letter = self.findings.letter(at);
        self.findings.report(&codes::MALFORMED_XML, letter, message, help.map(str::to_owned));
    }

    fn attributes(&mut self, tag: &mut Tag<'t>) {
        loop {
            let separated = self.skip_blanks();
            if self.rest().is_empty() {
                return;
            }
            if self.split_end() {
                tag.closed = true;
                return;
            }
            if !separated {
                let message = format!("a blank is expected between attributes, found {}", found(self.rest()));
                self.malformed(self.at, message, Some("is a quote missing before it?"));
                tag.sound = false;
                return;
            }
            let Some(attribute) = self.attribute() else {
                tag.sound = false;
                return;
            };
            if !self.keep(attribute, &mut tag.element) {
                tag.sound = false;
                return;
            }
        }
    }

    /// A `/` with nothing but blanks before the `>`.
    fn split_end(&mut self) -> bool {
        let split = self.rest().strip_prefix('/').is_some_and(|rest| rest.trim_ascii().is_empty());
        if split {
            let message = "`/` and `>` are apart; taken for `/>`, which other XML readers would not do";
            let help = Some("write `/>` without a blank inside".to_owned());
            self.findings.report(
                &codes::SPLIT_TAG_END,
                self.at..self.text.len() + 1,
                message.to_owned(),
                help,
            );
        }
        split
    }

    fn attribute(&mut self) -> Option<Attribute<'t>> {
        let at = self.at;
        let name = self.take(|letter| {
            !letter.is_ascii_whitespace() && !matches!(letter, '=' | '"' | '\'' | '/' | '<' | '>')
        });
        if !is_name(name) {
            let message = format!("an attribute name is expected, found {}", found(&self.text[at..]));
            self.malformed(at, message, Some(ATTRIBUTE));
            return None;
        }
        self.skip_blanks();
        if !self.rest().starts_with('=') {
            let message =
                format!("`=` is expected after the attribute name `{name}`, found {}", found(self.rest()));
            self.malformed(self.at, message, Some(ATTRIBUTE));
            return None;
        }
        self.at += 1;
        self.skip_blanks();
        let (raw, start) = self.value(name)?;
        let value = resolve(raw, start, self.findings);
        Some(Attribute { name, at, value, value_at: start..start + raw.len() })
    }

    fn value(&mut self, name: &str) -> Option<(&'t str, usize)> {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|letter| matches!(letter, '"' | '\'')) else {
            let message = format!("a quote is expected before the value of `{name}`, found {}", found(rest));
            self.malformed(self.at, message, Some("put the value between straight quotes: \"..\""));
            return None;
        };
        let opened = self.at;
        self.at += 1;
        let raw = self.take(|letter| letter != quote && letter != '<');
        if !self.rest().starts_with(quote) {
            let message =
                format!("the value of `{name}` has no closing {}", quoted(quote.encode_utf8(&mut [0; 4])));
            self.malformed(opened, message, Some("close the quote; write `&lt;` for a `<` inside a value"));
            return None;
        }
        self.at += 1;
        Some((raw, opened + 1))
    }

    fn keep(&mut self, attribute: Attribute<'t>, element: &mut Element<'t>) -> bool {
        if element.attributes.len() >= MAX_ATTRIBUTES {
            let message = format!("an element has more than {MAX_ATTRIBUTES} attributes");
            let help = Some("delete those that it does not need".to_owned());
            self.findings.report(&codes::LIMIT, attribute.name_at(), message, help);
            return false;
        }
        if element.attribute(attribute.name).is_some() {
            let message = format!("the attribute {} is given twice", quoted(attribute.name));
            let help = Some("keep one of them".to_owned());
            self.findings.report(&codes::DUPLICATE_ATTRIBUTE, attribute.name_at(), message, help);
        } else {
            element.attributes.push(attribute);
        }
        true
    }
}
