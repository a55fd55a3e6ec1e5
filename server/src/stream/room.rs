//! How much still fits into a frame, in bytes of JSON.

use serde::Serialize;

#[derive(Debug)]
pub(super) struct Room(usize);

impl Room {
    /// What is left of a frame beside this, which is always told.
    pub(super) fn beside(most: usize, told: &impl Serialize) -> Self {
        Self(most.saturating_sub(size(told)))
    }

    /// Takes the room of a part, where there is enough for it and the comma behind it.
    pub(super) fn take(&mut self, part: &impl Serialize) -> bool {
        let left = self.0.checked_sub(size(part) + 1);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

fn size(part: &impl Serialize) -> usize {
    // What cannot be written fits nowhere.
    serde_json::to_vec(part).map_or(usize::MAX - 1, |json| json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_takes_its_room_and_what_does_not_takes_none() {
        let mut room = Room::beside(12, &"ab");
        for (part, fits) in [("abcdef", false), ("abc", true), ("", false), (" ", false)] {
            assert_eq!(room.take(&part), fits, "{part}");
        }
        assert!(!Room::beside(3, &"ab").take(&0));
    }
}
