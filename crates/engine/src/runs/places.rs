//! From how many places the values of a run came, while each of them is known. Knows numbers of places, never addresses.

use std::collections::BTreeSet;

use weevil_model::PlaceNumber;

#[derive(Debug, Default)]
pub(super) struct Places {
    seen: BTreeSet<PlaceNumber>,
    lost: bool,
}

impl Places {
    /// A value came from there; `None` where its worker has left long ago.
    pub(super) fn note(&mut self, place: Option<PlaceNumber>) {
        self.lost |= place.is_none();
        self.seen.extend(place);
    }

    /// If so, some came from a place that nobody knows: places are numbered anew in each life of the server, and of a judged value
    /// only the last of those that agreed on it is told.
    pub(super) fn lose(&mut self, some: bool) {
        self.lost |= some;
    }

    pub(super) fn count(&self) -> Option<u32> {
        u32::try_from(self.seen.len()).ok().filter(|_| !self.lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_while_each_is_known() {
        let at = |place| Some(PlaceNumber::from_number(place));
        for (noted, lost, count) in [
            (&[][..], false, Some(0)),
            (&[at(1), at(1), at(2)], false, Some(2)),
            (&[at(1), None], false, None),
            (&[at(1)], true, None),
        ] {
            let mut places = Places::default();
            for place in noted {
                places.note(*place);
            }
            places.lose(lost);
            places.lose(false);
            assert_eq!(places.count(), count, "{noted:?} {lost}");
        }
    }
}
