//! Modules from text, arguments from values, and what came of a job in a word. Never a test.

use weevil_model::{Encoded, Value, digest};
use weevil_referee::{Bounds, Outcome, Why, run};

/// Little enough that an endless loop ends soon.
pub(crate) const SMALL: Bounds =
    Bounds { fuel: 3_000_000, memory_bytes: 4 * 1024 * 1024, result_bytes: 1000 };

/// A memory of a page, and an `alloc` that gives the bytes from 16 on.
pub(crate) const FROM_16: &str = r#"(memory (export "memory") 1)
    (func (export "alloc") (param i32) (result i32) (i32.const 16))"#;

pub(crate) fn module(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {fields})")).unwrap()
}

/// One that takes and returns values; `body` answers the packed result.
pub(crate) fn of_values(body: &str) -> Vec<u8> {
    module(&format!(r#"{FROM_16} (func (export "weevil_main") (param i32 i32) (result i64) {body})"#))
}

pub(crate) fn encoded(value: &Value) -> Encoded {
    Encoded::of(value).unwrap()
}

pub(crate) fn list(values: &[Value]) -> Encoded {
    encoded(&Value::Array(values.to_vec()))
}

/// The value; or why there is none.
pub(crate) fn said(module: &[u8], arguments: &[Value], bounds: &Bounds) -> Result<Value, Why> {
    match run(module, &list(arguments), bounds) {
        Outcome::Value(form, found) => {
            assert_eq!(found, digest(&form));
            Ok(form.value().unwrap())
        }
        Outcome::CannotSay(why) => Err(why),
    }
}

/// The value as debugged, or the words.
pub(crate) fn words(module: &[u8], arguments: &[Value]) -> String {
    said(module, arguments, &SMALL).map_or_else(|why| why.to_string(), |value| format!("{value:?}"))
}
