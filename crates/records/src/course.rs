//! How a run went, kept beside its end and read on its own: a list of runs never looks at it.
//!
//! Only facts. What a state or a share of time looks like, pages decide.

use minicbor::{Decode, Encode};
use weevil_model::NodeState;
use weevil_queue::profile::ProfileFacts;

use crate::facts::Progress;

/// What is kept of a run's way to its end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunCourse {
    pub states: NodeStates,
    /// What was computed when; `None` where nobody has looked, for a run that never came to its executors.
    pub profile: Option<ProfileFacts>,
}

/// How every node of a run stands, in document order: a byte for each, so that the largest run has 100 kB of them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Encode, Decode)]
pub struct NodeStates {
    /// The codes: see [`NodeState::code`].
    #[cbor(n(0), with = "minicbor::bytes")]
    codes: Vec<u8>,
    /// The jobs below each pool, by the pool's place in the document.
    #[n(1)]
    pools: Vec<(u32, Progress)>,
}

impl NodeStates {
    /// `pools` in the order of their places.
    pub fn new(states: &[NodeState], pools: Vec<(u32, Progress)>) -> Self {
        Self { codes: states.iter().map(|state| state.code()).collect(), pools }
    }

    /// One for each node; of a run that an earlier release has ended, for the nodes that it kept.
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// `None` beyond what is kept, and for a word that only another release knows.
    pub fn state(&self, node: usize) -> Option<NodeState> {
        self.codes.get(node).and_then(|code| NodeState::of_code(*code))
    }

    /// The jobs below this node, where it is a pool.
    pub fn pool(&self, node: usize) -> Option<Progress> {
        let node = u32::try_from(node).ok()?;
        let found = self.pools.binary_search_by_key(&node, |(pool, _)| *pool).ok()?;
        Some(self.pools[found].1)
    }

    pub fn pools(&self) -> &[(u32, Progress)] {
        &self.pools
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{of_column, to_column};

    #[test]
    fn states_are_read_back_a_byte_each() {
        let progress = Progress { total: 9, done: 4, ..Progress::default() };
        let states = NodeStates::new(NodeState::ALL, vec![(1, progress), (7, Progress::default())]);
        let column = to_column(&states);
        let back: NodeStates = of_column(&column).unwrap();
        assert_eq!(back, states);
        for (node, state) in NodeState::ALL.iter().enumerate() {
            assert_eq!(back.state(node), Some(*state), "{node}");
            let jobs = (node == 1).then_some(progress).or((node == 7).then(Progress::default));
            assert_eq!(back.pool(node), jobs, "{node}");
        }
        assert_eq!((back.state(NodeState::ALL.len()), back.pool(usize::MAX)), (None, None));
        let many = NodeStates::new(&vec![NodeState::Running; 100_000], Vec::new());
        assert!(to_column(&many).len() < 100_010);
    }

    #[test]
    fn a_code_of_another_release_is_no_state() {
        let later: NodeStates = of_column(b"\x82\x42\x03\xc8\x80").unwrap();
        assert_eq!((later.state(0), later.state(1)), (Some(NodeState::Enqueued), None));
    }
}
