//! How much a job worker may say in one message: looked at before anything of it is copied.
//!
//! What comes over a port is a structured clone: no getter and no proxy is in it. Never reads what it means.

use js_sys::{Array, JsString, Object, Uint8Array};
use wasm_bindgen::prelude::*;
use weevil_model::limits::MAX_FRAME_BYTES;

/// Objects, lists and what they hold: some times what the fullest report of ours has.
const MAX_PARTS: u32 = 16_384;
/// Nesting: a list of results, each with an error, is 4 deep.
const MAX_DEPTH: u32 = 6;

/// What one message may still hold.
struct Left {
    parts: u32,
    bytes: usize,
    /// What plain objects inherit from.
    plain: JsValue,
}

/// Is this small and flat enough to be read?
pub(crate) fn is_readable(message: &JsValue) -> bool {
    let plain = prototype_of(&Object::new());
    Left { parts: MAX_PARTS, bytes: MAX_FRAME_BYTES, plain }.take(message, 0)
}

impl Left {
    fn take(&mut self, part: &JsValue, depth: u32) -> bool {
        if depth > MAX_DEPTH || !self.spend_parts(1) {
            return false;
        }
        if part.as_f64().is_some() {
            return true;
        }
        if let Some(text) = part.dyn_ref::<JsString>() {
            return self.spend_bytes(text.length());
        }
        if let Some(bytes) = part.dyn_ref::<Uint8Array>() {
            return self.spend_bytes(bytes.byte_length());
        }
        if Array::is_array(part) {
            return self.take_all(part.unchecked_ref(), depth);
        }
        if part.is_object() {
            // Maps, dates, buffers and other views are nothing that a report has.
            return prototype_of(part) == self.plain
                && self.take_all(&Object::values(part.unchecked_ref()), depth);
        }
        // Whole numbers of any size would be copied digit by digit.
        !part.is_bigint()
    }

    fn take_all(&mut self, parts: &Array, depth: u32) -> bool {
        parts.length() <= self.parts && parts.iter().all(|part| self.take(&part, depth + 1))
    }

    fn spend_parts(&mut self, count: u32) -> bool {
        self.parts.checked_sub(count).map(|left| self.parts = left).is_some()
    }

    fn spend_bytes(&mut self, count: u32) -> bool {
        self.bytes.checked_sub(count as usize).map(|left| self.bytes = left).is_some()
    }
}

fn prototype_of(object: &JsValue) -> JsValue {
    Object::get_prototype_of(object).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn only_what_a_report_can_be_is_read() {
        for (text, readable) in [
            ("{ kind: 'ready' }", true),
            (
                "{ kind: 'results', results: Array.from({ length: 256 }, (_, seq) => ({ seq, value: new Uint8Array(9), computeUs: 1.5, flops: 2 })) }",
                true,
            ),
            (
                "{ kind: 'results', results: [{ seq: 1, error: { kind: 'thrown', message: 'm', stack: 's' } }] }",
                true,
            ),
            ("{ value: new Uint8Array(16 << 20) }", true),
            ("{ value: new Uint8Array(200e6) }", false),
            ("{ message: 'x'.repeat(200e6) }", false),
            ("[new Uint8Array(20 << 20), new Uint8Array(20 << 20)]", false),
            ("new Array(1e6).fill(0)", false),
            ("new Array(4e9)", false),
            ("[[[[[[[[1]]]]]]]]", false),
            ("(() => { const it = {}; it.it = it; return it })()", false),
            ("new Float64Array(9)", false),
            ("new Map([[1, 2]])", false),
            ("{ seq: 1n }", false),
            ("7", true),
        ] {
            let message = js_sys::eval(&format!("({text})")).unwrap();
            assert_eq!(is_readable(&message), readable, "{text}");
        }
    }
}
