//! An upload: which workflow, and what is asked of its run, as multipart/form-data (RFC 7578).
//!
//! Builds bytes; a `Server` sends them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use weevil_model::ContentHash;

#[derive(Debug)]
struct Part {
    name: &'static str,
    filename: Option<String>,
    bytes: Vec<u8>,
}

/// Called with the bytes that have gone out so far.
type Watch = Box<dyn Fn(u64)>;

/// Parts in the order in which they were added.
#[derive(Default)]
pub struct Form {
    parts: Vec<Part>,
    watch: Option<Watch>,
}

impl fmt::Debug for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Form").field("parts", &self.parts).finish_non_exhaustive()
    }
}

impl Form {
    /// Has somebody hear, whenever a piece has gone out, how many bytes have.
    pub fn watch(&mut self, watch: impl Fn(u64) + 'static) {
        self.watch = Some(Box::new(watch));
    }

    /// The bytes of its parts, which are nearly all that goes out.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes.len() as u64).sum()
    }

    /// A body that tells of itself as it is read.
    pub(crate) fn reader<'b>(&'b self, body: &'b [u8]) -> Outgoing<'b> {
        Outgoing { rest: body, sent: 0, watch: self.watch.as_deref() }
    }

    pub fn text(&mut self, name: &'static str, text: &str) {
        self.parts.push(Part { name, filename: None, bytes: text.as_bytes().to_vec() });
    }

    pub fn file(&mut self, name: &'static str, filename: String, bytes: Vec<u8>) {
        self.parts.push(Part { name, filename: Some(filename), bytes });
    }

    /// All files of a workflow, by path, under its name.
    pub fn workflow(&mut self, name: &str, files: &BTreeMap<String, Vec<u8>>) {
        self.text("name", name);
        for (path, bytes) in files {
            self.file("file", path.clone(), bytes.clone());
        }
    }

    /// Content type and body.
    pub(crate) fn encode(&self) -> (String, Vec<u8>) {
        // Follows from the content, so that it cannot stand in it by accident.
        let boundary =
            ContentHash::of_parts(self.parts.iter().map(|part| (part.name, part.bytes.as_slice())));
        let boundary = format!("weevil-{boundary}");
        let mut body = Vec::new();
        for Part { name, filename, bytes } in &self.parts {
            let filename = filename.as_deref().map(|name| format!("; filename=\"{}\"", escaped(name)));
            let head = format!(
                "--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"{}\r\n\r\n",
                filename.unwrap_or_default()
            );
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(bytes);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
        (format!("multipart/form-data; boundary={boundary}"), body)
    }
}

/// What is left of a body.
pub(crate) struct Outgoing<'b> {
    rest: &'b [u8],
    sent: u64,
    watch: Option<&'b dyn Fn(u64)>,
}

impl Read for Outgoing<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let read = self.rest.read(to)?;
        self.sent += read as u64;
        if let Some(watch) = self.watch {
            watch(self.sent);
        }
        Ok(read)
    }
}

fn escaped(filename: &str) -> String {
    filename.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_hears_of_each_piece() {
        let heard = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
        let mut form = Form::default();
        form.file("file", "a".into(), vec![7; 10]);
        assert_eq!(form.bytes(), 10);
        let hear = heard.clone();
        form.watch(move |sent| hear.borrow_mut().push(sent));
        let (mut read, mut piece) = (Vec::new(), [0; 4]);
        let mut reader = form.reader(b"0123456789");
        while let Ok(bytes @ 1..) = reader.read(&mut piece) {
            read.extend_from_slice(&piece[..bytes]);
        }
        assert_eq!(
            (read.as_slice(), heard.borrow().as_slice()),
            (b"0123456789".as_slice(), [4, 8, 10, 10].as_slice())
        );
    }

    #[test]
    fn parts_follow_each_other_between_boundaries() {
        let mut form = Form::default();
        form.text("set", "x=1");
        form.file("file", "a \"b\"\\c.js".into(), b"code".to_vec());
        let (content_type, body) = form.encode();
        let boundary = content_type.strip_prefix("multipart/form-data; boundary=").unwrap();
        let expected = "--B\r\ncontent-disposition: form-data; name=\"set\"\r\n\r\nx=1\r\n\
            --B\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a \\\"b\\\"\\\\c.js\"\r\n\r\ncode\r\n--B--\r\n";
        assert_eq!(String::from_utf8(body).unwrap(), expected.replace("--B", &format!("--{boundary}")));
    }
}
