//! The digests of values as certificates tell them.

use weevil_model::{ContentHash, Encoded, EncodedError, canonical, digest};

pub(super) fn of_value(value: &Encoded) -> Result<ContentHash, EncodedError> {
    Ok(digest(&canonical(value)?))
}

/// That of each argument.
pub(super) fn of_arguments(input: &Encoded) -> Result<Vec<ContentHash>, EncodedError> {
    input.elements()?.map(|argument| of_value(&argument)).collect()
}

/// For the array that a reducer gets: the digests of its elements, joined.
pub(super) fn of_reduced(input: &Encoded) -> Result<Vec<ContentHash>, EncodedError> {
    let joined = |array: &Encoded| {
        let elements: Vec<ContentHash> = of_arguments(array)?;
        Ok(ContentHash::of_joined(elements.iter().map(|element| element.as_bytes().as_slice())))
    };
    input.elements()?.map(|argument| joined(&argument)).collect()
}
