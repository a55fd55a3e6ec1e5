//! What is asked over one connection, read off its bytes: request lines (RFC 9112, section 3), without bodies.
//!
//! Never changes what goes by; after an upgrade it reads nothing more.

/// Reads what a client sends, as it comes.
#[derive(Debug, Default)]
pub(crate) struct RequestLines {
    head: Vec<u8>,
    /// Bytes of a body that are still to come.
    body: usize,
    upgraded: bool,
}

impl RequestLines {
    /// Method and target of each request whose head ends with these bytes.
    pub(crate) fn read(&mut self, mut bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        while !bytes.is_empty() && !self.upgraded {
            let skipped = self.body.min(bytes.len());
            self.body -= skipped;
            bytes = &bytes[skipped..];
            let Some((byte, rest)) = bytes.split_first() else { break };
            self.head.push(*byte);
            bytes = rest;
            if self.head.ends_with(b"\r\n\r\n") {
                lines.extend(self.end());
            }
        }
        lines
    }

    fn end(&mut self) -> Option<String> {
        let head = String::from_utf8_lossy(&std::mem::take(&mut self.head)).into_owned();
        let (line, fields) = head.split_once("\r\n")?;
        for (name, value) in fields.lines().filter_map(|field| field.split_once(':')) {
            match name.to_ascii_lowercase().as_str() {
                "content-length" => self.body = value.trim().parse().unwrap_or(0),
                "upgrade" => self.upgraded = true,
                _ => {}
            }
        }
        line.strip_suffix(" HTTP/1.1").map(str::to_owned)
    }
}

#[cfg(test)]
mod tests {
    use super::RequestLines;

    #[test]
    fn lines_are_read_past_bodies_and_up_to_an_upgrade() {
        let sent = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\nPOST /c HTTP/1.1\r\ncontent-length: 22\r\n\r\nGET /body HTTP/1.1\r\n\r\n\
                    GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\nGET /frame HTTP/1.1\r\n\r\n";
        for size in [1, 7, sent.len()] {
            let mut lines = RequestLines::default();
            let read: Vec<_> = sent.as_bytes().chunks(size).flat_map(|bytes| lines.read(bytes)).collect();
            assert_eq!(read, ["GET /a?b", "POST /c", "GET /ws"], "{size}");
        }
    }
}
