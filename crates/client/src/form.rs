//! An upload: which workflow, and what is asked of its run, as multipart/form-data (RFC 7578).
//!
//! Builds bytes; a `Server` sends them.

use std::collections::BTreeMap;

use weevil_model::ContentHash;

#[derive(Debug)]
struct Part {
    name: &'static str,
    filename: Option<String>,
    bytes: Vec<u8>,
}

/// Parts in the order in which they were added.
#[derive(Debug, Default)]
pub struct Form(Vec<Part>);

impl Form {
    pub fn text(&mut self, name: &'static str, text: &str) {
        self.0.push(Part { name, filename: None, bytes: text.as_bytes().to_vec() });
    }

    pub fn file(&mut self, name: &'static str, filename: String, bytes: Vec<u8>) {
        self.0.push(Part { name, filename: Some(filename), bytes });
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
        let boundary = ContentHash::of_parts(self.0.iter().map(|part| (part.name, part.bytes.as_slice())));
        let boundary = format!("weevil-{boundary}");
        let mut body = Vec::new();
        for Part { name, filename, bytes } in &self.0 {
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

fn escaped(filename: &str) -> String {
    filename.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use super::*;

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
