//! The first stage: elements as they stand, each name and value with its byte offset. Knows nothing of workflows.

use std::borrow::Cow;

/// A well-formed document.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    pub(crate) root: Element<'t>,
}

#[derive(Debug)]
pub(crate) struct Element<'t> {
    pub(crate) name: &'t str,
    /// Of its `<`.
    pub(crate) at: usize,
    pub(crate) attributes: Vec<Attribute<'t>>,
    pub(crate) children: Vec<Element<'t>>,
    /// Where the first text stands that is not white space.
    pub(crate) text_at: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: &'t str,
    pub(crate) at: usize,
    /// With references resolved and white space as XML 1.0 section 3.3.3 has it.
    pub(crate) value: Cow<'t, str>,
    /// Of the first character after the quote.
    pub(crate) value_at: usize,
}

impl<'t> Element<'t> {
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

    /// The document's offset of byte `inside` of the value; the value's start where references moved it.
    pub(crate) fn offset(&self, inside: usize) -> usize {
        match self.value {
            Cow::Borrowed(_) => self.value_at + inside,
            Cow::Owned(_) => self.value_at,
        }
    }
}
