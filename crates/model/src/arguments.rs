//! The arguments of a job, as one array that is made when it is needed: a large value that flows into many jobs is in
//! memory once, however many of them wait to be stored.

use std::fmt;
use std::sync::OnceLock;

use crate::encoded::{Encoded, EncodedError, array_size};

/// Bytes up to which the array is made at once.
const SMALL_BYTES: usize = 64 * 1024;

/// One array of at most `MAX_VALUE_BYTES`.
#[derive(Clone)]
pub struct Arguments {
    /// What it is made of; nothing where it was made at once.
    values: Vec<Encoded>,
    size: usize,
    array: OnceLock<Encoded>,
}

impl Arguments {
    /// One argument each, in this order.
    pub fn each(values: Vec<Encoded>) -> Result<Self, EncodedError> {
        let size = array_size(&values)?;
        if size <= SMALL_BYTES {
            return Encoded::array(&values).map(Self::from);
        }
        Ok(Self { values, size, array: OnceLock::new() })
    }

    /// Bytes of the array.
    pub const fn size(&self) -> usize {
        self.size
    }

    pub fn array(&self) -> &Encoded {
        self.array.get_or_init(|| Encoded::joined(&self.values))
    }
}

impl From<Encoded> for Arguments {
    /// `array` is one already.
    fn from(array: Encoded) -> Self {
        Self { values: Vec::new(), size: array.as_bytes().len(), array: array.into() }
    }
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Self) -> bool {
        self.array() == other.array()
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Arguments({} bytes)", self.size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::MAX_VALUE_BYTES;

    fn text(bytes: usize) -> Encoded {
        Encoded::of(&crate::Value::String("x".repeat(bytes))).unwrap()
    }

    #[test]
    fn the_array_is_the_same_whenever_it_is_made() {
        for sizes in [&[][..], &[0], &[1, 2], &[70_000], &[40_000; 3], &[1; 24], &[3_000; 256]] {
            let values: Vec<Encoded> = sizes.iter().map(|size| text(*size)).collect();
            let expected = Encoded::array(&values).unwrap();
            let arguments = Arguments::each(values).unwrap();
            assert_eq!(arguments.size(), expected.as_bytes().len(), "{} values", sizes.len());
            assert!(
                *arguments.array() == expected && arguments == Arguments::from(expected),
                "{}",
                sizes.len()
            );
        }
    }

    #[test]
    fn what_is_too_large_together_is_refused_before_it_is_made() {
        let half = text(MAX_VALUE_BYTES / 2);
        let all = vec![half.clone(), half];
        assert!(matches!(Arguments::each(all.clone()), Err(EncodedError::TooLarge { .. })));
        assert!(Encoded::array(&all).is_err() && Arguments::each(all[1..].to_vec()).is_ok());
    }
}
