//! The last frames of all topics, numbered from 1 since the start of the server. Knows nothing of readers.

use std::collections::VecDeque;

use actix_web::web::Bytes;

use super::topic::Topic;

/// Frames that are kept.
const MAX_FRAMES: usize = 1024;
/// Bytes of them.
const MAX_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub topic: Topic,
    pub data: Bytes,
}

#[derive(Debug)]
pub(super) struct Ring {
    /// The number of the first frame that is kept; of the next one, where there is none.
    first: u64,
    frames: VecDeque<Frame>,
    bytes: usize,
}

impl Default for Ring {
    fn default() -> Self {
        Self { first: 1, frames: VecDeque::new(), bytes: 0 }
    }
}

impl Ring {
    pub(super) const fn first(&self) -> u64 {
        self.first
    }

    /// The number of the last frame; 0 before the first.
    pub(super) fn latest(&self) -> u64 {
        self.first + self.frames.len() as u64 - 1
    }

    pub(super) fn put(&mut self, topic: Topic, data: Bytes) {
        self.bytes += data.len();
        self.frames.push_back(Frame { topic, data });
        while self.frames.len() > MAX_FRAMES || self.bytes > MAX_BYTES {
            let Some(oldest) = self.frames.pop_front() else { return };
            self.bytes -= oldest.data.len();
            self.first += 1;
        }
    }

    pub(super) fn get(&self, number: u64) -> Option<&Frame> {
        let at = number.checked_sub(self.first).and_then(|at| usize::try_from(at).ok())?;
        self.frames.get(at)
    }

    /// The frames behind this number, as far as they are kept.
    pub(super) fn behind(&self, number: u64) -> impl Iterator<Item = (u64, &Frame)> {
        let from = self.first.max(number.saturating_add(1));
        let skipped = usize::try_from(from - self.first).unwrap_or(usize::MAX);
        (from..).zip(self.frames.iter().skip(skipped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(frames: usize, size: usize) -> Ring {
        let mut ring = Ring::default();
        for _ in 0..frames {
            ring.put(Topic::Queue, Bytes::from(vec![0; size]));
        }
        ring
    }

    #[test]
    fn it_keeps_so_many_frames_and_so_many_bytes() {
        for (frames, size, first, latest) in [
            (0, 1, 1, 0),
            (1, 1, 1, 1),
            (1024, 1, 1, 1024),
            (1025, 1, 2, 1025),
            (512, 16 * 1024, 1, 512),
            (513, 16 * 1024, 2, 513),
            (1, MAX_BYTES + 1, 2, 1),
        ] {
            let ring = ring(frames, size);
            assert_eq!((ring.first(), ring.latest()), (first, latest), "{frames} of {size}");
            assert_eq!(ring.bytes, ring.frames.iter().map(|frame| frame.data.len()).sum::<usize>());
            assert!(ring.bytes <= MAX_BYTES);
        }
    }

    #[test]
    fn frames_are_found_by_number() {
        let ring = ring(1030, 1);
        for (number, there, behind) in [
            (0, false, 1024),
            (6, false, 1024),
            (7, true, 1023),
            (1030, true, 0),
            (1031, false, 0),
            (u64::MAX, false, 0),
        ] {
            assert_eq!(
                (ring.get(number).is_some(), ring.behind(number).count()),
                (there, behind),
                "{number}"
            );
        }
        assert_eq!(ring.behind(1028).map(|(number, _)| number).collect::<Vec<_>>(), [1029, 1030]);
    }
}
