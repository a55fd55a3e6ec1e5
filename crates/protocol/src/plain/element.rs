//! A small XML element and its text: what every message is written as, two blanks for each level.
//!
//! Owns escaping. Never knows what an element means.

use quick_xml::escape::escape;

/// An element with attributes and either text or children.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
    /// From 1, where the element was read; 0 where it was made.
    pub(super) line: u32,
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub(super) fn with(mut self, name: &str, value: &(impl ToString + ?Sized)) -> Self {
        self.attributes.push((name.to_owned(), value.to_string()));
        self
    }

    pub(super) fn with_some(self, name: &str, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(name, &value),
            None => self,
        }
    }

    pub(super) fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// Text as it is; what XML has no form for becomes U+FFFD.
    pub(super) fn saying(mut self, text: &str) -> Self {
        self.text =
            text.chars().map(|letter| if is_character(letter) { letter } else { '\u{FFFD}' }).collect();
        self
    }

    /// The element as a document, with a line feed at its end.
    pub(super) fn render(&self) -> String {
        let mut to = String::new();
        self.write(&mut to, 0);
        to
    }

    fn write(&self, to: &mut String, level: usize) {
        let indent = "  ".repeat(level);
        to.push_str(&indent);
        to.push('<');
        to.push_str(&self.name);
        for (name, value) in &self.attributes {
            to.extend([" ", name, "=\"", &escape_controls(&escape(value.as_str())), "\""]);
        }
        if self.children.is_empty() && self.text.is_empty() {
            to.push_str("/>\n");
            return;
        }
        to.push('>');
        if self.children.is_empty() {
            // A carriage return would be read as a line feed (XML 1.0, section 2.11).
            to.push_str(&escape(self.text.as_str()).replace('\r', "&#13;"));
        } else {
            to.push('\n');
            self.children.iter().for_each(|child| child.write(to, level + 1));
            to.push_str(&indent);
        }
        to.extend(["</", &self.name, ">\n"]);
    }
}

/// White space in an attribute would be read as blanks (XML 1.0, section 3.3.3).
fn escape_controls(escaped: &str) -> String {
    escaped.replace('\t', "&#9;").replace('\n', "&#10;").replace('\r', "&#13;")
}

/// The characters of XML 1.0 section 2.2.
pub(super) const fn is_character(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | ' '..='\u{FFFD}' | '\u{10000}'..)
}
