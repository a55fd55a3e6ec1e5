//! The first stage: elements as they stand, each name and value with its byte offset. Knows nothing of workflows.

use std::borrow::Cow;
use std::ops::Range;

/// A well-formed document.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) root: Element<'t>,
}

#[derive(Debug)]
pub(crate) struct Element<'t> {
    pub(crate) name: &'t str,
    /// Where its `<` stands.
    pub(crate) at: usize,
    pub(crate) attributes: Vec<Attribute<'t>>,
    pub(crate) children: Vec<Element<'t>>,
    /// Where the first text stands that is not white space.
    pub(crate) text: Option<Range<usize>>,
}

#[derive(Debug)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: &'t str,
    pub(crate) at: usize,
    /// With references resolved and white space as XML 1.0 section 3.3.3 has it.
    pub(crate) value: Cow<'t, str>,
    /// Between the quotes.
    pub(crate) value_at: Range<usize>,
}

impl<'t> Element<'t> {
    /// Where its name stands in the start tag.
    pub(crate) fn tag(&self) -> Range<usize> {
        let start = self.at + "<".len();
        start..start + self.name.len()
    }

    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub(crate) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }
}

impl Attribute<'_> {
    /// The value without white space around it, as names and types are read.
    pub(crate) fn word(&self) -> &str {
        self.value.trim()
    }

    pub(crate) fn name_at(&self) -> Range<usize> {
        self.at..self.at + self.name.len()
    }

    /// The place of the character at byte `inside` of the value; all of the value where references moved it.
    pub(crate) fn letter_at(&self, inside: usize) -> Range<usize> {
        match self.value {
            Cow::Borrowed(value) => {
                let width = value[inside..].chars().next().map_or(0, char::len_utf8);
                let start = self.value_at.start + inside;
                start..start + width
            }
            Cow::Owned(_) => self.value_at.clone(),
        }
    }
}
