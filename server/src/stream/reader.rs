//! What a reader is owed: a number for each of its topics, and no queue. Pure: frames come from the ring, snapshots from elsewhere.

use super::ring::Ring;
use super::topic::Topic;

/// Frames of one topic that a reader may be behind: a second of them. Beyond that a snapshot is shorter, and newer.
const MAX_BEHIND: usize = 4;

/// What a reader is told next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A snapshot of the topic of this seat, which `snapshot_told` is to be told of.
    Snapshot(usize),
    /// The frame with this number, for this seat. `ends`: the reader has all of its topics up to here then.
    Frame {
        seat: usize,
        number: u64,
        ends: bool,
    },
    /// Nothing but that it has everything up to here, after snapshots.
    Mark(u64),
    Nothing,
}

#[derive(Debug)]
struct Seat {
    topic: Topic,
    /// The last frame of it that was told, or is in what was told; `None`: a snapshot is owed.
    seen: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Reader {
    seats: Vec<Seat>,
    /// What was missing when it came is told in full, up to here.
    missed: u64,
    /// Snapshots were told since the last number.
    unmarked: bool,
}

impl Reader {
    /// Each topic comes with the number from which on it has no gap. `after` is the last number that the reader has.
    pub(super) fn new(
        topics: impl IntoIterator<Item = (Topic, u64)>,
        ring: &Ring,
        after: Option<u64>,
    ) -> Self {
        let kept = ring.first()..=ring.latest() + 1;
        let inside = after.filter(|after| kept.contains(&after.saturating_add(1)));
        let seat = |(topic, since)| Seat { topic, seen: inside.filter(|after| *after >= since) };
        Self { seats: topics.into_iter().map(seat).collect(), missed: ring.latest(), unmarked: false }
    }

    pub(super) fn topic(&self, seat: usize) -> Option<Topic> {
        self.seats.get(seat).map(|seat| seat.topic)
    }

    pub(super) fn topics(&self) -> impl Iterator<Item = Topic> {
        self.seats.iter().map(|seat| seat.topic)
    }

    /// What it is told now. Snapshots come first and without a number: a number says that all of it was told.
    pub(super) fn next(&mut self, ring: &Ring) -> Step {
        self.skip_what_is_old(ring);
        if let Some(seat) = self.seats.iter().position(|seat| seat.seen.is_none()) {
            return Step::Snapshot(seat);
        }
        if let Some((seat, number)) = self.oldest(ring) {
            self.seats[seat].seen = Some(number);
            let ends = !self.seats.iter().any(|seat| seat.is_owed(ring, number));
            self.unmarked &= !ends;
            return Step::Frame { seat, number, ends };
        }
        let latest = ring.latest();
        self.seats.iter_mut().for_each(|seat| seat.seen = Some(latest));
        if std::mem::take(&mut self.unmarked) { Step::Mark(latest) } else { Step::Nothing }
    }

    /// A snapshot was told that has all frames up to this one.
    pub(super) fn snapshot_told(&mut self, seat: usize, number: u64) {
        if let Some(seat) = self.seats.get_mut(seat) {
            seat.seen = Some(number);
        }
        self.unmarked = true;
    }

    fn skip_what_is_old(&mut self, ring: &Ring) {
        for seat in &mut self.seats {
            let Some(seen) = seat.seen else { continue };
            let behind = ring.behind(seen.max(self.missed)).filter(|(_, frame)| frame.topic == seat.topic);
            if seen.saturating_add(1) < ring.first() || behind.count() > MAX_BEHIND {
                seat.seen = None;
            }
        }
    }

    /// The oldest frame that is owed to a seat.
    fn oldest(&self, ring: &Ring) -> Option<(usize, u64)> {
        let from = self.seats.iter().filter_map(|seat| seat.seen).min()?;
        ring.behind(from).find_map(|(number, _)| {
            let seat = self.seats.iter().position(|seat| seat.is_owed(ring, number))?;
            Some((seat, number))
        })
    }
}

impl Seat {
    fn is_owed(&self, ring: &Ring, number: u64) -> bool {
        self.seen.is_some_and(|seen| seen < number)
            && ring.get(number).is_some_and(|frame| frame.topic == self.topic)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::web::Bytes;
    use proptest::prelude::*;
    use weevil_model::ProjectId;

    use super::*;

    const OVERVIEW: Topic = Topic::Overview(None);

    fn put(ring: &mut Ring, topics: &[Topic]) {
        for topic in topics {
            ring.put(*topic, Bytes::from_static(b"x"));
        }
    }

    /// All that a reader is told until there is nothing left: `S0` a snapshot for its first seat, `F0:7` a frame, with `!` where it
    /// carries its number, `M7` a mark.
    fn told(reader: &mut Reader, ring: &Ring) -> String {
        let mut told = Vec::new();
        loop {
            told.push(match reader.next(ring) {
                Step::Snapshot(seat) => {
                    reader.snapshot_told(seat, ring.latest());
                    format!("S{seat}")
                }
                Step::Frame { seat, number, ends } => {
                    format!("F{seat}:{number}{}", if ends { "!" } else { "" })
                }
                Step::Mark(number) => format!("M{number}"),
                Step::Nothing => return told.join(" "),
            });
        }
    }

    #[test]
    fn who_comes_gets_what_is_missing_or_a_snapshot() {
        use Topic::{Queue, Workers};
        let few = [Queue, OVERVIEW, Queue, Workers];
        for (frames, after, since, asked, expected) in [
            (&few[..], None, 0, vec![Queue], "S0 M4"),
            (&few, None, 0, vec![Queue, OVERVIEW], "S0 S1 M4"),
            (&few, Some(0), 0, vec![Queue], "F0:1! F0:3!"),
            (&few, Some(1), 0, vec![Queue, OVERVIEW], "F1:2! F0:3!"),
            (&few, Some(4), 0, vec![Queue], ""),
            // From the future, or from before it was made without a gap.
            (&few, Some(5), 0, vec![Queue], "S0 M4"),
            (&few, Some(u64::MAX), 0, vec![Queue], "S0 M4"),
            (&few, Some(1), 2, vec![Queue], "S0 M4"),
            (&few, Some(2), 2, vec![Queue], "F0:3!"),
            // All that is missing, however much.
            (&[Queue; 9], Some(1), 0, vec![Queue], "F0:2! F0:3! F0:4! F0:5! F0:6! F0:7! F0:8! F0:9!"),
            (&[], None, 0, vec![Queue], "S0 M0"),
            (&[], Some(0), 0, vec![Queue], ""),
            // One topic under two names: the number stands on the second.
            (&few, Some(2), 0, vec![Queue, Queue], "F0:3 F1:3!"),
        ] {
            let mut ring = Ring::default();
            put(&mut ring, frames);
            let mut reader = Reader::new(asked.iter().map(|topic| (*topic, since)), &ring, after);
            assert_eq!(told(&mut reader, &ring), expected, "{after:?} of {asked:?}");
        }
    }

    #[test]
    fn what_has_left_the_ring_is_owed_as_a_snapshot() {
        let mut ring = Ring::default();
        put(&mut ring, &vec![Topic::Queue; 1030]);
        for (after, expected) in [(5, "S0 M1030"), (6, "F0:7! F0:8!")] {
            let mut reader = Reader::new([(Topic::Queue, 0)], &ring, Some(after));
            assert!(told(&mut reader, &ring).starts_with(expected), "{after}");
        }
    }

    #[test]
    fn who_stands_still_gets_a_snapshot_of_what_has_gone_on() {
        use Topic::{Queue, Workers};
        for (meanwhile, expected) in [
            (vec![], ""),
            (vec![Queue; 4], "F0:1! F0:2! F0:3! F0:4!"),
            (vec![Queue; 5], "S0 M5"),
            (vec![Workers, Queue, Queue, Queue, Queue, Queue], "S0 F1:1! "),
            (vec![OVERVIEW; 5], ""),
            (vec![OVERVIEW; 5000], "S0 S1 M5000"),
        ] {
            let mut ring = Ring::default();
            let mut reader = Reader::new([(Queue, 0), (Workers, 0)], &ring, None);
            assert_eq!(told(&mut reader, &ring), "S0 S1 M0");
            put(&mut ring, &meanwhile);
            assert_eq!(told(&mut reader, &ring), expected.trim(), "{meanwhile:?}");
        }
    }

    #[test]
    fn a_snapshot_that_is_newer_than_a_frame_stands_for_it() {
        let mut ring = Ring::default();
        put(&mut ring, &[Topic::Queue]);
        let mut reader = Reader::new([(Topic::Workers, 0), (Topic::Queue, 0)], &ring, None);
        assert_eq!(reader.next(&ring), Step::Snapshot(0));
        reader.snapshot_told(0, 1);
        put(&mut ring, &[Topic::Workers, Topic::Queue]);
        assert_eq!(reader.next(&ring), Step::Snapshot(1));
        reader.snapshot_told(1, 3);
        assert_eq!(told(&mut reader, &ring), "F0:2!", "the frame's number is at most what both have");
        put(&mut ring, &[Topic::Queue]);
        assert_eq!(told(&mut reader, &ring), "F1:4!");
    }

    proptest! {
        /// Frames set a topic to their number. Whenever a reader was told a number, it has what was set up to there, or later.
        #[test]
        fn a_number_says_that_everything_up_to_it_was_told(
            turns in prop::collection::vec((prop::collection::vec(0..4_usize, 0..9), 0..12_usize, any::<bool>()), 1..40),
        ) {
            let projects = [1, 2, 3, 4].map(|number| Topic::Overview(ProjectId::from_number(number)));
            let (mut ring, mut set) = (Ring::default(), vec![[0_u64; 4]]);
            let mut reader = Reader::new(projects.map(|topic| (topic, 0)), &ring, None);
            let (mut knows, mut last) = ([0_u64; 4], None);
            for (put, reads, leaves) in turns {
                for topic in put {
                    ring.put(projects[topic], Bytes::new());
                    let mut now = set[set.len() - 1];
                    now[topic] = ring.latest();
                    set.push(now);
                }
                if leaves {
                    reader = Reader::new(projects.map(|topic| (topic, 0)), &ring, last);
                }
                for _ in 0..reads {
                    match reader.next(&ring) {
                        Step::Snapshot(seat) => {
                            knows[seat] = set[set.len() - 1][seat];
                            reader.snapshot_told(seat, ring.latest());
                        }
                        Step::Frame { seat, number, ends } => {
                            knows[seat] = number;
                            last = if ends { Some(number) } else { last };
                        }
                        Step::Mark(number) => last = Some(number),
                        Step::Nothing => break,
                    }
                    if let Some(last) = last {
                        let least = set[usize::try_from(last).unwrap()];
                        prop_assert!(knows.iter().zip(least).all(|(knows, least)| *knows >= least));
                    }
                }
            }
        }
    }
}
