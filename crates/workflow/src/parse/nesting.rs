//! Which element stands in which: start and end tags, text, and what may stand outside the root.
//!
//! Owns the limits on depth and number. Never looks at what an element means.

use std::ops::{ControlFlow, Range};

use weevil_model::limits::MAX_XML_DEPTH;

use super::attributes::{self, Tag};
use super::is_name;
use crate::codes;
use crate::document::Element;
use crate::findings::{Findings, quoted};
use crate::limits::MAX_ELEMENTS;

pub(super) struct Nesting<'t, 'f> {
    text: &'t str,
    findings: &'f mut Findings<'t>,
    open: Vec<Element<'t>>,
    root: Option<Element<'t>>,
    elements: usize,
    /// Nothing had to be guessed so far.
    sound: bool,
}

impl<'t, 'f> Nesting<'t, 'f> {
    pub(super) fn new(text: &'t str, findings: &'f mut Findings<'t>) -> Self {
        Self { text, findings, open: Vec::new(), root: None, elements: 0, sound: true }
    }

    fn malformed(&mut self, at: Range<usize>, message: String, help: Option<String>) {
        self.findings.report(&codes::MALFORMED_XML, at, message, help);
        self.sound = false;
    }

    /// Markup that does not end. In a start tag the place to tell is inside, where a quote is missing.
    pub(super) fn broken_off(&mut self, at: usize, problem: &quick_xml::Error) {
        let start_tag =
            self.text[at..].strip_prefix('<').is_some_and(|rest| !rest.starts_with(['/', '!', '?']));
        if !start_tag || attributes::tag(self.text, at, self.text.len(), self.findings).sound {
            self.malformed(self.findings.letter(at), problem.to_string(), None);
        }
    }

    /// `end` is the offset of the tag's `>` or `/>`.
    pub(super) fn start_tag(&mut self, start: usize, end: usize, empty: bool) -> ControlFlow<()> {
        let Tag { element, closed, sound } = attributes::tag(self.text, start, end, self.findings);
        self.sound &= sound;
        let swallowed_tags = !sound && self.text[start + 1..end].contains('<');
        if swallowed_tags || self.beyond_limits(element.tag()) {
            self.sound = false;
            self.open.clear();
            return ControlFlow::Break(());
        }
        self.elements += 1;
        if empty || closed {
            self.attach(element);
        } else {
            self.open.push(element);
        }
        ControlFlow::Continue(())
    }

    fn beyond_limits(&mut self, at: Range<usize>) -> bool {
        let (message, help) = if self.open.len() >= MAX_XML_DEPTH {
            (
                format!("elements are nested more than {MAX_XML_DEPTH} deep"),
                "is an end tag missing before it?",
            )
        } else if self.elements >= MAX_ELEMENTS {
            let help = "use a pool for jobs that differ in their data alone";
            (format!("the document has more than {MAX_ELEMENTS} elements"), help)
        } else {
            return false;
        };
        self.findings.report(&codes::LIMIT, at, message, Some(help.to_owned()));
        true
    }

    fn attach(&mut self, mut element: Element<'t>) {
        // Most elements have one or two children: the room for more would be much of a large document's memory.
        element.children.shrink_to_fit();
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(element);
        } else if self.root.is_none() {
            self.root = Some(element);
        } else {
            let message = format!(
                "`<{}>` stands after the end of the root element; one root is expected",
                element.name
            );
            self.malformed(element.tag(), message, Some("put it into the root element".to_owned()));
        }
    }

    /// `end` is the offset of the tag's `>`.
    pub(super) fn end_tag(&mut self, start: usize, end: usize) {
        let name = self.text[start + 2..end].trim_ascii_end();
        if !is_name(name) {
            self.malformed(
                start..end + 1,
                format!("{} is no end tag", quoted(&self.text[start..=end])),
                Some("end tags are written `</name>`".to_owned()),
            );
        } else if self.open.iter().any(|element| element.name == name) {
            self.close(name, &(start..end + 1));
        } else {
            self.unopened(name, start..end + 1);
        }
    }

    /// An end tag that no start tag fits: a mistyped one for the innermost element, or one too many.
    fn unopened(&mut self, name: &str, at: Range<usize>) {
        let innermost = self.open.last().map(|element| element.name);
        let meant = self.findings.nearest(name, innermost);
        let expected = meant.map(|meant| format!("`</{meant}>` expected"));
        let help = expected.is_none().then(|| "delete it, or add the start tag".to_owned());
        let expected = expected.unwrap_or_else(|| format!("but no `<{name}>` is open"));
        self.malformed(at, format!("`</{name}>` found, {expected}"), help);
        if meant.is_some()
            && let Some(element) = self.open.pop()
        {
            self.attach(element);
        }
    }

    /// Ends the innermost `name`, and with it what was left open inside.
    fn close(&mut self, name: &str, at: &Range<usize>) {
        while let Some(element) = self.open.pop() {
            let opened = element.name;
            if opened != name {
                let line = self.findings.line(element.at);
                self.malformed(
                    at.clone(),
                    format!(
                        "`</{name}>` found, `</{opened}>` expected: `<{opened}>` was opened in line {line}"
                    ),
                    Some(format!("add `</{opened}>`")),
                );
            }
            self.attach(element);
            if opened == name {
                return;
            }
        }
    }

    pub(super) fn text(&mut self, start: usize, end: usize) {
        let blank = |letter: char| matches!(letter, ' ' | '\t' | '\r' | '\n');
        let text = &self.text[start..end];
        let (before, after) = (text.trim_start_matches(blank).len(), text.trim_end_matches(blank).len());
        if before == 0 {
            return;
        }
        let at = end - before..start + after;
        if let Some(element) = self.open.last_mut() {
            element.text.get_or_insert(at);
        } else {
            let help = Some("delete it or make it a comment".to_owned());
            self.malformed(at, "text found outside the root element".to_owned(), help);
        }
    }

    pub(super) fn comment(&mut self, start: usize, end: usize) {
        let body_start = start + "<!--".len();
        let body = &self.text[body_start..end - "-->".len()];
        let last = body.len().saturating_sub(1);
        let inside = body.find("--").map(|at| at..at + 2);
        let hyphens = inside.or_else(|| body.ends_with('-').then(|| last..last + 1));
        if let Some(inside) = hyphens {
            self.findings.report(
                &codes::MALFORMED_XML,
                body_start + inside.start..body_start + inside.end,
                "`--` found inside a comment".to_owned(),
                Some("end the comment with `-->`, or write one hyphen".to_owned()),
            );
        }
    }

    pub(super) fn doctype(&mut self, at: usize) {
        let message = "a DOCTYPE is refused: workflows have no document type and no entities of their own";
        let help = "delete the declaration; `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` work without it";
        self.findings.report(
            &codes::DOCTYPE,
            at..at + "<!DOCTYPE".len(),
            message.to_owned(),
            Some(help.to_owned()),
        );
    }

    pub(super) fn declaration(&mut self, at: Range<usize>, encoding: Option<&str>) {
        if at.start > 0 {
            self.malformed(
                at.clone(),
                "the XML declaration must be the very first thing in the document".to_owned(),
                Some("move it there, or delete it".to_owned()),
            );
        }
        if let Some(name) =
            encoding.filter(|name| !matches!(&*name.to_ascii_lowercase(), "utf-8" | "us-ascii"))
        {
            let message = format!("the encoding {} is declared; UTF-8 is expected", quoted(name));
            let help = Some("save the document as UTF-8 and declare that, or nothing".to_owned());
            self.findings.report(&codes::NOT_UTF8, at, message, help);
        }
    }

    /// The root, if the document is one tree without doubt.
    pub(super) fn finish(mut self) -> Option<Element<'t>> {
        if let Some(element) = self.open.pop() {
            let message = format!("`<{name}>` is never closed: `</{name}>` is expected", name = element.name);
            self.malformed(element.tag(), message, None);
        } else if self.root.is_none() && self.sound {
            self.malformed(
                self.text.len()..self.text.len(),
                "the document is empty; `<workflow>` is expected".to_owned(),
                None,
            );
        }
        self.root.filter(|_| self.sound)
    }
}
