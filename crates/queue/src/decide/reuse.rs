//! Which stored job equals a new one: the same code, the same input, the same type of result.

use weevil_model::{ContentHash, Encoded};

/// A number to find equal jobs by: the same for equal code and input, and rarely for others. Whoever finds a job by it
/// still compares code and input themselves.
pub fn fingerprint(code: ContentHash, input: &Encoded) -> i64 {
    let both = ContentHash::of_parts([("code", code.as_bytes().as_slice()), ("input", input.as_bytes())]);
    both.seed().cast_signed() & i64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::Value;

    #[test]
    fn equal_work_has_equal_fingerprints() {
        let number = |n| Encoded::of(&Value::Number(n)).unwrap();
        let (add, sub) = (ContentHash::of(b"add"), ContentHash::of(b"sub"));
        assert_eq!(fingerprint(add, &number(1.0)), fingerprint(add, &number(1.0)));
        assert_ne!(fingerprint(add, &number(1.0)), fingerprint(sub, &number(1.0)));
        assert_ne!(fingerprint(add, &number(1.0)), fingerprint(add, &number(2.0)));
        assert!(fingerprint(add, &number(1.0)) >= 0);
    }
}
