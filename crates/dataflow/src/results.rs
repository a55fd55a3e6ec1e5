//! What the processors of a pool have returned so far, packed: eight bytes for each element beside its own.
//!
//! Never holds more than one value may have. Where a sum of results fits no reducer, the odd one is taken out, to be asked
//! for again (ADR 0030); where all are alike, nothing can be done.

use std::ops::Range;

use weevil_model::limits::MAX_VALUE_BYTES;
use weevil_model::{Encoded, EncodedError};

/// A result of no more bytes is never the odd one.
const ODD_ABOVE_BYTES: u32 = 64 * 1024;
/// The odd one has at least so many times the bytes of the median.
const ODD_TIMES: u32 = 2;

/// Results by index of the element, in whatever order they come.
#[derive(Debug)]
pub(crate) struct Results {
    /// One after the other as they came.
    bytes: Vec<u8>,
    /// Where each element's result lies; empty while it is missing, since no value has no bytes.
    places: Vec<Range<u32>>,
    missing: usize,
}

/// How large the result of an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) index: usize,
    pub(crate) bytes: u32,
}

/// Why a result was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// There is no such element, or it has its result.
    Unexpected,
    /// All together are too large, this one the largest, and none is odd.
    TooLarge(Size),
}

impl Results {
    pub(crate) fn of(elements: usize) -> Self {
        Self { bytes: Vec::new(), places: vec![0..0; elements], missing: elements }
    }

    /// There is such an element, and its result is missing.
    pub(crate) fn miss(&self, index: usize) -> bool {
        self.places.get(index).is_some_and(Range::is_empty)
    }

    pub(crate) const fn are_complete(&self) -> bool {
        self.missing == 0
    }

    /// Answers whose results do not fit and are missing again: this one's, or those of others that make room for it.
    pub(crate) fn put(&mut self, index: usize, value: &Encoded) -> Result<Vec<Size>, Refused> {
        if !self.miss(index) {
            return Err(Refused::Unexpected);
        }
        let new = Size { index, bytes: u32::try_from(value.as_bytes().len()).unwrap_or(u32::MAX) };
        let mut again = Vec::new();
        while self.bytes.len() + new.bytes as usize > self.most() {
            let odd = self.odd(new)?;
            again.push(odd);
            if odd.index == index {
                return Ok(again);
            }
            self.take_out(odd.index);
        }
        let start = u32::try_from(self.bytes.len()).unwrap_or(u32::MAX);
        self.places[index] = start..start + new.bytes;
        self.bytes.extend_from_slice(value.as_bytes());
        self.missing -= 1;
        Ok(again)
    }

    /// Bytes that fit the array of arguments with the array of all results in it, beside the heads of both.
    fn most(&self) -> usize {
        let head = match self.places.len() {
            ..24 => 1,
            24..256 => 2,
            256..65_536 => 3,
            _ => 5,
        };
        MAX_VALUE_BYTES - head - 1
    }

    /// The largest of the results, `new` among them, where it is much larger than the others are.
    fn odd(&self, new: Size) -> Result<Size, Refused> {
        let held = self.places.iter().enumerate().filter(|(_, place)| place.start < place.end);
        let sizes = held.map(|(index, place)| Size { index, bytes: place.end - place.start }).chain([new]);
        let largest = sizes.clone().max_by_key(|size| size.bytes).unwrap_or(new);
        let mut bytes: Vec<u32> = sizes.map(|size| size.bytes).collect();
        let middle = (bytes.len() - 1) / 2;
        let (_, median, _) = bytes.select_nth_unstable(middle);
        let is_odd = largest.bytes > ODD_ABOVE_BYTES && largest.bytes / ODD_TIMES >= *median;
        if is_odd { Ok(largest) } else { Err(Refused::TooLarge(largest)) }
    }

    fn take_out(&mut self, index: usize) {
        let taken = std::mem::take(&mut self.places[index]);
        self.bytes.drain(taken.start as usize..taken.end as usize);
        for place in self.places.iter_mut().filter(|place| place.start >= taken.end) {
            *place = place.start - (taken.end - taken.start)..place.end - (taken.end - taken.start);
        }
        self.missing += 1;
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

    fn bytes(bytes: usize) -> Encoded {
        Encoded::of(&Value::Typed(TypedArrayKind::Uint8, vec![0; bytes])).unwrap()
    }

    /// Results of these sizes come for elements 0, 1 and so on. Answers whose are asked for again, at the end which is the
    /// largest of those that cannot be told apart.
    fn story(elements: usize, sizes: &[usize]) -> (Vec<usize>, Option<usize>) {
        let mut results = Results::of(elements);
        let mut again = Vec::new();
        for (index, size) in sizes.iter().enumerate() {
            match results.put(index, &bytes(*size)) {
                Ok(odd) => again.extend(odd.iter().map(|size| size.index)),
                Err(Refused::TooLarge(largest)) => return (again, Some(largest.index)),
                Err(Refused::Unexpected) => panic!("{index}"),
            }
        }
        assert_eq!(results.missing, elements - sizes.len() + again.len());
        (again, None)
    }

    #[test]
    fn the_odd_one_is_asked_for_again_and_what_is_alike_fails() {
        const MIB: usize = 1024 * 1024;
        const MOST: usize = MAX_VALUE_BYTES - 9;
        for (elements, sizes, again, largest) in [
            (3, &[MOST, 1][..], &[0][..], None),
            (3, &[1, MOST], &[1], None),
            (3, &[1, MOST - 100, 1], &[], None),
            (5, &[1, 12 * MIB, 1, 9 * MIB, 1], &[1], None),
            (5, &[MIB, 9 * MIB, 2 * MIB, 8 * MIB], &[1], None),
            (2, &[8 * MIB, 8 * MIB], &[], Some(1)),
            (2, &[9 * MIB, 8 * MIB], &[], Some(0)),
            (3, &[5 * MIB, 6 * MIB, 7 * MIB], &[], Some(2)),
        ] {
            assert_eq!(story(elements, sizes), (again.to_vec(), largest), "{sizes:?}");
        }
        let small = vec![MAX_VALUE_BYTES / 300; 301];
        assert_eq!(story(301, &small).1, Some(299), "many that are alike");
    }

    #[test]
    fn what_is_taken_out_leaves_the_others_in_their_places() {
        let mut results = Results::of(3);
        results.put(2, &number(2.0)).unwrap();
        results.put(1, &bytes(MAX_VALUE_BYTES - 100)).unwrap();
        let long = bytes(1_000);
        let again = results.put(0, &long).unwrap();
        assert_eq!(again.iter().map(|size| size.index).collect::<Vec<_>>(), [1]);
        assert!(!results.are_complete());
        assert_eq!(results.put(1, &number(1.0)), Ok(vec![]));
        assert_eq!(results.array(), Encoded::array(&[long, number(1.0), number(2.0)]));
    }

    #[test]
    fn what_is_taken_fits_the_reducer_to_its_last_byte() {
        for elements in [1, 23, 24, 255, 256] {
            let mut results = Results::of(elements);
            let fill = results.most() - (elements - 1);
            let largest = bytes(fill - 7);
            assert_eq!(largest.as_bytes().len(), fill);
            (1..elements).for_each(|index| assert_eq!(results.put(index, &number(1.0)), Ok(vec![])));
            assert_eq!(results.put(0, &largest), Ok(vec![]));
            let whole = Encoded::array(&[results.array().unwrap()]).unwrap();
            assert_eq!(whole.as_bytes().len(), MAX_VALUE_BYTES, "{elements}");
        }
    }
}
