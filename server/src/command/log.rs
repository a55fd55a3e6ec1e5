//! The server's log on stderr, for people and for programs: nothing in it is obeyed by a terminal.

use std::fmt;
use std::io::{Write, stderr};

use tracing::field::Field;
use tracing_subscriber::fmt::format::Writer;
use weevil_cli::inert::{in_json, one_line};

/// A field of the log for people, as `name=value`; an event or a span is one line.
pub(super) fn log_field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let value = one_line(&format!("{value:?}"));
    match field.name() {
        "message" => writer.write_str(&value),
        name => write!(writer, "{name}={value}"),
    }
}

/// The log for programs on stderr, an object in each line.
#[derive(Debug)]
pub(super) struct JsonLog;

impl Write for JsonLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        stderr().lock().write_all(in_json(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        stderr().lock().flush()
    }
}
