//! One answer of HTTP/1.1 as its bytes say it (RFC 9112): status, headers, body by length, in chunks or until the end.

use super::Line;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Reply {
    pub(super) fn read(line: &mut Line) -> Option<Self> {
        let head = String::from_utf8_lossy(&line.take_until(b"\r\n\r\n")?).into_owned();
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        let mut reply = Self { status, headers: headers.collect(), body: Vec::new() };
        reply.body = reply.read_body(line)?;
        Some(reply)
    }

    fn read_body(&self, line: &mut Line) -> Option<Vec<u8>> {
        if matches!(self.status, 100..=199 | 204 | 304) {
            return Some(Vec::new());
        }
        if let Some(length) = self.header("content-length") {
            return line.take(length.parse().ok()?);
        }
        if self.header("transfer-encoding") == Some("chunked") {
            return chunks(line);
        }
        Some(line.take_all())
    }

    /// A header's value, by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The code of a refusal, in JSON (`"code":".."`) or in XML (`code=".."`); empty where there is none.
    pub fn code(&self) -> String {
        let text = self.text();
        let rest = text.split_once("\"code\":\"").or_else(|| text.split_once("code=\""));
        rest.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default().to_owned()
    }

    /// The values of this attribute of XML, in their order, as they are written.
    pub fn attributes(&self, name: &str) -> Vec<String> {
        let mark = format!(" {name}=\"");
        let text = self.text();
        let values = text.split(&mark).skip(1).filter_map(|rest| rest.split('"').next());
        values.map(str::to_owned).collect()
    }
}

fn chunks(line: &mut Line) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = String::from_utf8(line.take_until(b"\r\n")?).ok()?;
        let size = usize::from_str_radix(size.trim().split(';').next()?, 16).ok()?;
        body.extend(line.take(size)?);
        line.take(2)?;
        if size == 0 {
            return Some(body);
        }
    }
}
