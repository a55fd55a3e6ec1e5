//! The elements of an encoded array, one at a time: a pool of a million elements is never a million values at once.
//!
//! Never unpacks an element.

use minicbor::Decoder;
use minicbor::data::Type;

use crate::encoded::{Encoded, EncodedError, malformed};

/// What is left of an array. A clone costs nothing and goes on from the same place.
#[derive(Debug, Clone)]
pub struct Elements {
    whole: Encoded,
    position: usize,
    left: usize,
}

impl Elements {
    pub(crate) fn of(whole: &Encoded) -> Result<Self, EncodedError> {
        let mut from = Decoder::new(whole.as_bytes());
        if from.datatype().map_err(malformed)? != Type::Array {
            return Err(EncodedError::NotArray(whole.data_type()?));
        }
        let len = from.array().map_err(malformed)?.unwrap_or_default();
        let left = usize::try_from(len).map_err(malformed)?;
        Ok(Self { whole: whole.clone(), position: from.position(), left })
    }
}

impl Iterator for Elements {
    type Item = Encoded;

    fn next(&mut self) -> Option<Encoded> {
        self.left = self.left.checked_sub(1)?;
        let rest = &self.whole.as_bytes()[self.position..];
        let mut from = Decoder::new(rest);
        // The whole was checked when it was made, so each element is there.
        from.skip().ok()?;
        self.position += from.position();
        Some(Encoded::trusted(rest[..from.position()].to_vec()))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Elements {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DataType, Value};

    #[test]
    fn elements_come_one_by_one_and_know_how_many_are_left() {
        let items = [Value::Number(1.0), Value::String("x".into()), Value::Array(vec![Value::Null])];
        let whole = Encoded::of(&Value::Array(items.to_vec())).unwrap();
        let mut elements = whole.elements().unwrap();
        for (at, item) in items.iter().enumerate() {
            assert_eq!(elements.len(), items.len() - at);
            assert_eq!(elements.next().unwrap().value().as_ref(), Ok(item));
        }
        assert_eq!(elements.next(), None);
        assert_eq!(elements.next(), None);
    }

    #[test]
    fn what_is_no_array_is_named() {
        assert_eq!(Encoded::array(&[]).unwrap().elements().unwrap().len(), 0);
        let text = Encoded::of(&Value::String("no".into())).unwrap();
        assert_eq!(text.elements().unwrap_err(), EncodedError::NotArray(DataType::String));
    }
}
