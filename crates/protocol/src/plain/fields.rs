//! Reads an element's attributes and children into typed fields, and refuses what a message does not have.

use std::fmt::Display;
use std::str::FromStr;

use super::element::Element;
use super::error::PlainError;

/// One element while it is read. `finish` refuses what nobody has asked for.
pub(super) struct Fields<'e> {
    element: &'e Element,
    asked: Vec<&'static str>,
}

impl<'e> Fields<'e> {
    pub(super) const fn of(element: &'e Element) -> Self {
        Self { element, asked: Vec::new() }
    }

    /// The same, if the element has this name.
    pub(super) fn named(element: &'e Element, name: &str) -> Result<Self, PlainError> {
        let fields = Self::of(element);
        if element.name == name {
            return Ok(fields);
        }
        Err(fields.refuse(format!("<{name}> is expected"), format!("send <{name} ..> here")))
    }

    pub(super) fn refuse(&self, found: impl Into<String>, cure: impl Into<String>) -> PlainError {
        PlainError::new(self.element.line, &self.element.name, found, cure)
    }

    fn raw(&mut self, name: &'static str) -> Option<&'e str> {
        self.asked.push(name);
        let found = self.element.attributes.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attribute that may be absent.
    pub(super) fn optional<T: FromStr<Err: Display>>(
        &mut self,
        name: &'static str,
    ) -> Result<Option<T>, PlainError> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        raw.parse().map(Some).map_err(|error| {
            let shown: String = raw.chars().take(40).collect();
            self.refuse(format!("`{name}` is `{shown}`: {error}"), "docs/protocol.md says what it may be")
        })
    }

    pub(super) fn required<T: FromStr<Err: Display>>(&mut self, name: &'static str) -> Result<T, PlainError> {
        self.optional(name)?.ok_or_else(|| {
            self.refuse(format!("the attribute `{name}` is missing"), format!("write {name}=\"..\""))
        })
    }

    /// The element's text; its children, if it has any, are still refused.
    pub(super) fn text(&self) -> Result<&'e str, PlainError> {
        self.children(&[])?;
        Ok(&self.element.text)
    }

    /// The element's children, if they all have one of these names.
    pub(super) fn children(&self, names: &[&str]) -> Result<&'e [Element], PlainError> {
        let stranger = self.element.children.iter().find(|child| !names.contains(&child.name.as_str()));
        stranger.map_or(Ok(&*self.element.children), |child| {
            let known =
                if names.is_empty() { "nothing".to_owned() } else { format!("<{}>", names.join(">, <")) };
            let found = format!("stands in <{}>, where {known} may stand", self.element.name);
            Err(PlainError::new(child.line, &child.name, found, "rename or delete it"))
        })
    }

    /// The only child of this name.
    pub(super) fn child(&self, name: &str) -> Result<Fields<'e>, PlainError> {
        self.maybe_child(name)?
            .ok_or_else(|| self.refuse(format!("<{name}> is missing in it"), format!("add one <{name}>")))
    }

    /// The only child of this name, if there is one.
    pub(super) fn maybe_child(&self, name: &str) -> Result<Option<Fields<'e>>, PlainError> {
        let mut named = self.element.children.iter().filter(|child| child.name == name);
        match (named.next(), named.next()) {
            (child, None) => Ok(child.map(Fields::of)),
            (_, Some(_)) => Err(self.refuse(format!("it holds <{name}> twice"), "keep one of them")),
        }
    }

    /// As `finish`, for an element that holds nothing.
    pub(super) fn finish_empty(self) -> Result<(), PlainError> {
        if self.text()?.trim_ascii().is_empty() {
            return self.finish();
        }
        Err(self.refuse("text stands in it", "delete the text; it has attributes only"))
    }

    /// Refuses attributes that nobody has asked for.
    pub(super) fn finish(self) -> Result<(), PlainError> {
        let unknown = self.element.attributes.iter().find(|(name, _)| !self.asked.contains(&name.as_str()));
        let Some((name, _)) = unknown else { return Ok(()) };
        let shown: String = name.chars().take(40).collect();
        let known = self.asked.join("`, `");
        Err(self.refuse(format!("the attribute `{shown}` is not known"), format!("`{known}` are known here")))
    }
}
