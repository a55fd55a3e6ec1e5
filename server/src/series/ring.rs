//! The newest samples of one width, so many of them, and those of the next width that are not whole yet.

use std::collections::VecDeque;

use super::sample::Sample;

#[derive(Debug)]
pub(super) struct Ring {
    most: usize,
    /// Samples of this ring that make one of the next wider one.
    each: usize,
    samples: VecDeque<Sample>,
    gathered: Vec<Sample>,
}

impl Ring {
    pub(super) fn new(most: usize, each: usize) -> Self {
        Self { most, each, samples: VecDeque::with_capacity(most), gathered: Vec::with_capacity(each) }
    }

    /// Answers the sample of the next wider ring, where this one makes it whole.
    pub(super) fn take(&mut self, sample: Sample) -> Option<Sample> {
        if self.samples.len() == self.most {
            self.samples.pop_front();
        }
        self.samples.push_back(sample);
        self.gathered.push(sample);
        if self.gathered.len() < self.each {
            return None;
        }
        let whole = Sample::of(&self.gathered);
        self.gathered.clear();
        whole
    }

    pub(super) fn newest(&self) -> Option<Sample> {
        self.samples.back().copied()
    }

    /// Oldest first.
    pub(super) fn samples(&self) -> Vec<Sample> {
        self.samples.iter().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::Timestamp;

    use super::*;

    #[test]
    fn the_oldest_goes_and_so_many_make_a_wider_one() {
        let mut ring = Ring::new(3, 2);
        let at = |n| Sample { at: Timestamp(n), ..Sample::default() };
        let wider: Vec<_> = (1..=5).map(|n| ring.take(at(n)).map(|sample| sample.at.0)).collect();
        assert_eq!(wider, [None, Some(2), None, Some(4), None]);
        assert_eq!(ring.samples().iter().map(|sample| sample.at.0).collect::<Vec<_>>(), [3, 4, 5]);
    }
}
