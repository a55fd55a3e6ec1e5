//! Start tags of a document that may be broken anywhere: names, attributes, where each stands, and which one holds which.
//!
//! For what an editor shows beside a text that is still being typed. Never reports a mistake: the checker does, with a parser that
//! refuses what this one passes over.

use std::ops::Range;

/// Start tags that are looked at; what stands behind them is not known.
pub(crate) const MAX_TAGS: usize = 200_000;
/// How deeply tags nest; deeper ones count as children of this depth.
const MAX_DEPTH: usize = 64;

#[derive(Debug)]
pub(crate) struct Tag<'t> {
    pub(crate) name: &'t str,
    /// Where its `<` stands.
    pub(crate) at: usize,
    pub(crate) attributes: Vec<Attribute<'t>>,
    /// Position of the tag that it stands in.
    pub(crate) parent: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: &'t str,
    /// As it is written, between the quotes.
    pub(crate) value: &'t str,
    pub(crate) value_at: Range<usize>,
}

impl Tag<'_> {
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute<'_>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// An attribute's word, empty where it is not there.
    pub(crate) fn word(&self, name: &str) -> &str {
        self.attribute(name).map_or("", Attribute::word)
    }
}

impl Attribute<'_> {
    /// Without blanks around it.
    pub(crate) fn word(&self) -> &str {
        self.value.trim()
    }

    /// Where the word stands.
    pub(crate) fn word_at(&self) -> Range<usize> {
        let start = self.value_at.start + (self.value.len() - self.value.trim_start().len());
        start..start + self.word().len()
    }
}

/// The start tags of a text, in order.
pub(crate) fn scan(text: &str) -> Vec<Tag<'_>> {
    let mut scanner = Scanner { text, at: 0, tags: Vec::new(), open: Vec::new() };
    while scanner.tags.len() < MAX_TAGS && scanner.next_markup() {}
    scanner.tags
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    tags: Vec<Tag<'t>>,
    /// Positions of the tags that are open.
    open: Vec<usize>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Goes behind the next markup; false at the end of the text.
    fn next_markup(&mut self) -> bool {
        let Some(found) = self.rest().find('<') else { return false };
        self.at += found;
        for (begin, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
            if self.rest().starts_with(begin) {
                self.skip_behind(begin, end);
                return true;
            }
        }
        if self.rest().starts_with("</") {
            self.end_tag();
        } else {
            self.start_tag();
        }
        true
    }

    fn skip_behind(&mut self, begin: &str, end: &str) {
        let inside = self.at + begin.len();
        self.at = self.text[inside..].find(end).map_or(self.text.len(), |found| inside + found + end.len());
    }

    /// Closes the innermost tag of the name with all inside it; one that closes nothing changes nothing.
    fn end_tag(&mut self) {
        self.at += "</".len();
        let name = self.name();
        if let Some(level) = self.open.iter().rposition(|open| self.tags[*open].name == name) {
            self.open.truncate(level);
        }
    }

    fn start_tag(&mut self) {
        let at = self.at;
        self.at += "<".len();
        let name = self.name();
        if name.is_empty() {
            return;
        }
        let mut attributes = Vec::new();
        while let Some(attribute) = self.attribute() {
            attributes.push(attribute);
        }
        let is_empty = self.rest().starts_with('/');
        let parent = self.open.last().copied();
        self.tags.push(Tag { name, at, attributes, parent });
        if !is_empty && self.open.len() < MAX_DEPTH {
            self.open.push(self.tags.len() - 1);
        }
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn name(&mut self) -> &'t str {
        let rest = self.rest();
        let ends =
            |letter: char| letter.is_whitespace() || matches!(letter, '<' | '>' | '/' | '=' | '"' | '\'');
        let name = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += name.len();
        name
    }

    /// The next attribute of the tag; nothing at its end, or where no name stands.
    fn attribute(&mut self) -> Option<Attribute<'t>> {
        self.skip_blanks();
        let name = self.name();
        if name.is_empty() {
            return None;
        }
        self.skip_blanks();
        let value_at = if self.rest().starts_with('=') {
            self.at += "=".len();
            self.skip_blanks();
            self.value()
        } else {
            self.at..self.at
        };
        Some(Attribute { name, value: &self.text[value_at.clone()], value_at })
    }

    /// Goes behind a value. One without its second quote ends where the next markup begins, or its line ends.
    fn value(&mut self) -> Range<usize> {
        let rest = self.rest();
        let Some(quote) = rest.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
            return self.at..self.at;
        };
        let inside = &rest[1..];
        let start = self.at + 1;
        let end = inside.find([quote, '<']).unwrap_or(inside.len());
        if inside[end..].starts_with(quote) {
            self.at = start + end + 1;
            return start..start + end;
        }
        let end = inside[..end].find(['\n', '\r', '>']).unwrap_or(end);
        self.at = start + end;
        start..start + end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each tag with its parent's name and its attributes, as `parent/name a=b`.
    fn told(text: &str) -> Vec<String> {
        let tags = scan(text);
        let line = |tag: &Tag<'_>| {
            let parent = tag.parent.map_or("", |parent| tags[parent].name);
            let attributes: Vec<_> =
                tag.attributes.iter().map(|one| format!(" {}={}", one.name, one.value)).collect();
            format!("{parent}/{}{}", tag.name, attributes.concat())
        };
        tags.iter().map(line).collect()
    }

    #[test]
    fn tags_are_found_in_sound_and_in_broken_text() {
        let table: [(&str, &[&str]); 12] = [
            ("", &[]),
            ("<a><b x=\"1\"/><c y='2'>t</c></a>", &["/a", "a/b x=1", "a/c y=2"]),
            ("<a><!-- <b/> --><![CDATA[<c/>]]><?d <e/>?><f/></a>", &["/a", "a/f"]),
            ("<a><b></a><c/>", &["/a", "a/b", "/c"]),
            ("<a></b><c/>", &["/a", "a/c"]),
            ("<a x=\"1\n<b y=\"2\"/>", &["/a x=1", "a/b y=2"]),
            ("<a x=\"1><b/>", &["/a x=1", "a/b"]),
            ("<a x", &["/a x="]),
            ("<a x=<b/>", &["/a x=", "a/b"]),
            ("<a x=1 y=\"2\"/>", &["/a x= 1= y=2"]),
            ("< <a/>", &["/a"]),
            ("<a", &["/a"]),
        ];
        for (text, expected) in table {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn words_stand_where_they_are_written() {
        let text = "<edge source=\" é \"/>";
        let tags = scan(text);
        let source = tags[0].attribute("source").map(|found| (found.word(), found.word_at()));
        assert_eq!(source, Some(("é", 15..17)));
    }

    #[test]
    fn a_crowd_of_tags_is_bounded() {
        let text = "<a>".repeat(MAX_TAGS + 5);
        assert_eq!(scan(&text).len(), MAX_TAGS);
    }
}
