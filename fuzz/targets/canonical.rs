//! Any bytes as a value in its canonical form: the form is its own, and it is the same value. Digests are made of forms alone.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_model::{Encoded, EncodedError, canonical};

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = Encoded::checked(bytes) else { return };
    let form = match canonical(&value) {
        Ok(form) => form,
        Err(error) => return assert!(matches!(error, EncodedError::TooLarge { .. }), "{error}"),
    };
    Encoded::checked(form.as_bytes()).expect("the form is a value");
    assert_eq!(canonical(&form), Ok(form.clone()));
    let shown = |value: &Encoded| value.value().expect("it is one").to_json_text();
    assert_eq!(shown(&form), shown(&value));
});
