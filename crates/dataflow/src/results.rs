//! What the processors of a pool have returned so far, packed: eight bytes for each element beside its own.
//!
//! Never holds more than one value may have: a sum of results that no reducer could take is refused as it comes.

use std::ops::Range;

use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{Encoded, EncodedError};

/// Results by index of the element, in whatever order they come.
#[derive(Debug)]
pub(crate) struct Results {
    /// One after the other as they came.
    bytes: Vec<u8>,
    /// Where each element's result lies; empty while it is missing, since no value has no bytes.
    places: Vec<Range<u32>>,
    missing: usize,
}

/// Why a result was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There is no such element, or it has its result.
    Unexpected,
    TooLarge(EncodedError),
}

impl Results {
    pub(crate) fn of(elements: usize) -> Self {
        Self { bytes: Vec::new(), places: vec![0..0; elements], missing: elements }
    }

    pub(crate) const fn are_complete(&self) -> bool {
        self.missing == 0
    }

    pub(crate) fn put(&mut self, index: usize, value: &Encoded) -> Result<(), Refused> {
        let place =
            self.places.get_mut(index).filter(|place| place.start == place.end).ok_or(Refused::Unexpected)?;
        let (start, found) = (self.bytes.len(), self.bytes.len() + value.as_bytes().len());
        let too_large = || Refused::TooLarge(EncodedError::TooLarge { found, max: MAX_VALUE_BYTES });
        let end = u32::try_from(found).ok().filter(|_| found <= MAX_VALUE_BYTES).ok_or_else(too_large)?;
        *place = u32::try_from(start).map_err(|_| too_large())?..end;
        self.bytes.extend_from_slice(value.as_bytes());
        self.missing -= 1;
        Ok(())
    }

    /// One array in the order of the elements.
    pub(crate) fn array(&self) -> Result<Encoded, EncodedError> {
        let slice = |place: &Range<u32>| &self.bytes[place.start as usize..place.end as usize];
        Encoded::array_of(self.places.iter().map(slice))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{TypedArrayKind, Value};

    fn number(n: f64) -> Encoded {
        Encoded::of(&Value::Number(n)).unwrap()
    }

    #[test]
    fn results_come_in_any_order_and_once() {
        let mut results = Results::of(3);
        for index in [2, 0, 1] {
            assert!(!results.are_complete());
            results.put(index, &number(index as f64)).unwrap();
            assert_eq!(results.put(index, &number(9.0)), Err(Refused::Unexpected));
        }
        assert_eq!(results.put(3, &number(9.0)), Err(Refused::Unexpected));
        assert!(results.are_complete());
        assert_eq!(results.array(), Encoded::array(&[number(0.0), number(1.0), number(2.0)]));
    }

    #[test]
    fn what_no_reducer_could_take_is_refused_at_once() {
        let large = Value::Typed(TypedArrayKind::Uint8, vec![0; MAX_VALUE_BYTES / 2]);
        let large = Encoded::of(&large).unwrap();
        let mut results = Results::of(3);
        results.put(0, &large).unwrap();
        assert!(matches!(results.put(1, &large), Err(Refused::TooLarge(_))));
    }
}
