//! The body of an upload as multipart/form-data, part by part.

use crate::Files;

const BOUNDARY: &str = "weevil-test-boundary";

/// Parts in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub struct Form(Vec<u8>);

impl Form {
    /// One part `file` for each file.
    pub fn of(files: &Files) -> Self {
        files.iter().fold(Self::default(), |form, (path, bytes)| form.file("file", path, bytes))
    }

    #[must_use]
    pub fn text(self, name: &str, text: &str) -> Self {
        self.part(&format!("name=\"{name}\""), text.as_bytes())
    }

    #[must_use]
    pub fn file(self, name: &str, filename: &str, bytes: &[u8]) -> Self {
        self.part(&format!("name=\"{name}\"; filename=\"{filename}\""), bytes)
    }

    fn part(mut self, names: &str, bytes: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\ncontent-disposition: form-data; {names}\r\n\r\n");
        self.0.extend_from_slice(head.as_bytes());
        self.0.extend_from_slice(bytes);
        self.0.extend_from_slice(b"\r\n");
        self
    }

    pub fn content_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    pub fn bytes(&self) -> Vec<u8> {
        [self.0.as_slice(), format!("--{BOUNDARY}--\r\n").as_bytes()].concat()
    }
}
