//! How many streams of events each subject holds open. It counts only what is open, so it is as small as that.

use std::collections::HashMap;
use std::hash::Hash;

use crate::limits::MAX_STREAMS;

#[derive(Debug)]
pub struct OpenStreams<S>(HashMap<S, usize>);

impl<S> Default for OpenStreams<S> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<S: Copy + Eq + Hash> OpenStreams<S> {
    /// Counts one more stream of a subject, and answers how many more it may open; `None` where it has as many as it may.
    pub fn open(&mut self, subject: S) -> Option<usize> {
        let count = self.0.entry(subject).or_default();
        let left = MAX_STREAMS.checked_sub(*count + 1)?;
        *count += 1;
        Some(left)
    }

    /// A stream that was counted has ended.
    pub fn close(&mut self, subject: S) {
        if let Some(count) = self.0.get_mut(&subject) {
            *count -= 1;
            if *count == 0 {
                self.0.remove(&subject);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_has_so_many_streams_and_a_closed_one_makes_room() {
        let mut streams = OpenStreams::default();
        assert_eq!(
            (0..40).filter_map(|_| streams.open("ada")).collect::<Vec<_>>(),
            (0..32).rev().collect::<Vec<_>>()
        );
        assert_eq!(streams.open("bob"), Some(31));
        streams.close("ada");
        assert_eq!((streams.open("ada"), streams.open("ada")), (Some(0), None));
        (0..32).for_each(|_| streams.close("ada"));
        streams.close("bob");
        streams.close("bob");
        assert!(streams.0.is_empty());
    }
}
