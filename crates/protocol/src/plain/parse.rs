//! Bytes to elements, bounded in size, number and depth. Document types and entities of its own are refused.
//!
//! quick-xml cuts the text into markup and checks that tags match. Never knows what an element means.

use std::borrow::Cow;

use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use weevil_model::limits::MAX_FRAME_BYTES;

use super::element::{Element, is_character};
use super::error::PlainError;
use super::{MAX_ATTRIBUTES, MAX_DEPTH, MAX_ELEMENTS};

/// The root element of a body that begins so, as its start tag has it.
pub(super) fn peek(head: &[u8]) -> Result<Element, PlainError> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let whole = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The last character may have come in part.
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    Nesting::new(whole).read_root()
}

/// The root element of a body.
pub(super) fn parse(body: &[u8]) -> Result<Element, PlainError> {
    let whole = |found: String, cure: &str| PlainError::new(0, "", found, cure);
    if body.len() > MAX_FRAME_BYTES {
        let found = format!("the body has {} bytes; at most {MAX_FRAME_BYTES} are allowed", body.len());
        return Err(whole(found, "send fewer results at a time"));
    }
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let text = std::str::from_utf8(body)
        .map_err(|error| whole(format!("the body is not UTF-8: {error}"), "encode it as UTF-8"))?;
    Nesting::new(text).read()
}

struct Nesting<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    /// Up to where lines are counted, and how many there were.
    counted: (usize, u32),
    open: Vec<Element>,
    root: Option<Element>,
    elements: usize,
}

impl<'t> Nesting<'t> {
    fn new(text: &'t str) -> Self {
        let reader = Reader::from_str(text);
        Self { text, reader, counted: (0, 1), open: Vec::new(), root: None, elements: 0 }
    }

    fn read(mut self) -> Result<Element, PlainError> {
        self.look_at_characters()?;
        while self.step()? {}
        self.finish()
    }

    fn read_root(mut self) -> Result<Element, PlainError> {
        self.look_at_characters()?;
        while self.open.is_empty() && self.root.is_none() && self.step()? {}
        let begun = self.open.pop().or(self.root);
        begun.ok_or_else(|| {
            PlainError::new(0, "", "no element begins where the body does", "send one XML element")
        })
    }

    fn look_at_characters(&mut self) -> Result<(), PlainError> {
        if let Some((at, letter)) = self.text.char_indices().find(|(_, letter)| !is_character(*letter)) {
            let found = format!("the character U+{:04X} is not allowed in XML", u32::from(letter));
            return Err(PlainError::new(
                self.line(at),
                "",
                found,
                "replace it by U+FFFD or escape it in JSON",
            ));
        }
        Ok(())
    }

    /// Takes the next piece of markup; false where there is none.
    fn step(&mut self) -> Result<bool, PlainError> {
        let start = offset(self.reader.buffer_position());
        match self.reader.read_event() {
            Ok(Event::Eof) => Ok(false),
            Ok(event) => {
                let line = self.line(start);
                self.take(event, line).map(|()| true)
            }
            Err(error) => {
                let line = self.line(offset(self.reader.error_position()));
                Err(self.refuse(line, format!("this is not XML: {error}"), "mend it"))
            }
        }
    }

    /// The line at this offset; offsets only grow.
    fn line(&mut self, at: usize) -> u32 {
        let passed = self.text.as_bytes().get(self.counted.0..at).unwrap_or_default();
        let lines = passed.split(|byte| *byte == b'\n').count() - 1;
        self.counted = (self.counted.0.max(at), self.counted.1 + u32::try_from(lines).unwrap_or_default());
        self.counted.1
    }

    /// A mistake inside the innermost open element.
    fn refuse(&self, line: u32, found: impl Into<String>, cure: impl Into<String>) -> PlainError {
        PlainError::new(line, self.open.last().map_or("", |open| &open.name), found, cure)
    }

    fn take(&mut self, event: Event<'t>, line: u32) -> Result<(), PlainError> {
        match event {
            Event::Start(tag) => self.start(&tag, line),
            Event::Empty(tag) => self.start(&tag, line).and_then(|()| self.end(line)),
            Event::End(_) => self.end(line),
            Event::Text(text) => self.add(&text.xml10_content(), line),
            Event::CData(text) => self.add(&text.xml10_content(), line),
            Event::GeneralRef(reference) => {
                let letter = self.resolve(&reference, line)?;
                self.add(letter.encode_utf8(&mut [0; 4]), line)
            }
            Event::DocType(_) => {
                Err(self.refuse(line, "document types are refused", "delete the <!DOCTYPE ..>"))
            }
            Event::Decl(declaration) => self.declaration(&declaration, line),
            Event::Comment(_) | Event::PI(_) | Event::Eof => Ok(()),
        }
    }

    fn start(&mut self, tag: &BytesStart<'_>, line: u32) -> Result<(), PlainError> {
        self.elements += 1;
        if self.elements > MAX_ELEMENTS {
            return Err(self.refuse(
                line,
                format!("there are more than {MAX_ELEMENTS} elements"),
                "send fewer at a time",
            ));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.refuse(
                line,
                format!("elements nest more than {MAX_DEPTH} deep"),
                "no message needs that",
            ));
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(self.refuse(
                line,
                "a second element follows the message",
                "send one message in a body",
            ));
        }
        let name = tag.name().as_ref().to_owned();
        let attributes = attributes(tag).map_err(|found| {
            PlainError::new(line, &name, found, "attributes are written name=\"value\", each once")
        })?;
        self.open.push(Element { name, attributes, line, ..Element::default() });
        Ok(())
    }

    fn end(&mut self, line: u32) -> Result<(), PlainError> {
        let Some(ended) = self.open.pop() else {
            return Err(self.refuse(line, "an end tag without a start", "delete it"));
        };
        if !ended.children.is_empty() && !ended.text.trim_ascii().is_empty() {
            return Err(PlainError::new(line, &ended.name, "text between its elements", "delete it"));
        }
        match self.open.last_mut() {
            Some(around) => around.children.push(ended),
            None => self.root = Some(ended),
        }
        Ok(())
    }

    fn add(&mut self, text: &str, line: u32) -> Result<(), PlainError> {
        match self.open.last_mut() {
            Some(open) => open.text.push_str(text),
            None if text.trim_ascii().is_empty() => {}
            None => return Err(self.refuse(line, "text outside the message", "a body is one XML element")),
        }
        Ok(())
    }

    fn resolve(&self, reference: &BytesRef<'_>, line: u32) -> Result<char, PlainError> {
        let known = match &*reference.xml10_content() {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            _ => reference.resolve_char_ref().ok().flatten().filter(|letter| is_character(*letter)),
        };
        known.ok_or_else(|| {
            let name: String = reference.xml10_content().chars().take(40).collect();
            self.refuse(line, format!("the entity `&{name};` is refused"), "write the character itself")
        })
    }

    fn declaration(&self, declaration: &BytesDecl<'_>, line: u32) -> Result<(), PlainError> {
        match declaration.encoding() {
            Some(Ok(encoding)) if !encoding.eq_ignore_ascii_case("utf-8") => {
                Err(self.refuse(line, "the declaration names another encoding", "say and use UTF-8"))
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<Element, PlainError> {
        if let Some(open) = self.open.last() {
            return Err(PlainError::new(open.line, &open.name, "it is never closed", "close it"));
        }
        self.root.ok_or_else(|| PlainError::new(0, "", "the body is empty", "send one XML element"))
    }
}

/// Positions come from a slice, so they fit.
fn offset(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

fn attributes(tag: &BytesStart<'_>) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| format!("an attribute cannot be read: {error}"))?;
        let name = attribute.key.as_ref().to_owned();
        if found.len() == MAX_ATTRIBUTES {
            return Err(format!("there are more than {MAX_ATTRIBUTES} attributes"));
        }
        let value: Cow<'_, str> = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| format!("the value of `{name}` cannot be read: {error}"))?;
        if !value.chars().all(is_character) {
            return Err(format!("the value of `{name}` holds a character that XML does not allow"));
        }
        found.push((name, value.into_owned()));
    }
    Ok(found)
}
