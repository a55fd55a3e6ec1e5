//! Any bytes as a value in its canonical form: the form is its own, it is the same value, and it has the same digest.

#![no_main]

use libfuzzer_sys::fuzz_target;
use weevil_model::{Encoded, EncodedError, canonical, digest};

fuzz_target!(|bytes: &[u8]| {
    let Ok(value) = Encoded::checked(bytes) else { return };
    let form = match canonical(&value) {
        Ok(form) => form,
        Err(error) => return assert!(matches!(error, EncodedError::TooLarge { .. }), "{error}"),
    };
    Encoded::checked(form.as_bytes()).expect("the form is a value");
    assert_eq!(canonical(&form), Ok(form.clone()));
    assert_eq!(digest(&form), digest(&value));
    let shown = |value: &Encoded| value.value().expect("it is one").to_json_text();
    assert_eq!(shown(&form), shown(&value));
});
