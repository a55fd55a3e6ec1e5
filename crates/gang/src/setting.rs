//! What is played: how many jobs and devices, who lies when, and which rule is left out to see that it is needed.

use weevil_model::trust::{AssumedShare, ErrorShare};

/// When a liar lies on a job that nobody has answered yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// Always.
    Always,
    /// With this chance.
    Steady(f64),
    /// Honest until it is established, then with this chance.
    Sleeper(f64),
    /// The first answers of every lot.
    Clump(u32),
    /// With this chance, and on copies as well.
    Blind(f64),
    /// Where chance has not chosen the job, as far as it can know: [`Off::LateChoice`].
    Unchecked,
    /// Where another liar holds a copy: [`Off::OneAfterTheOther`].
    Together,
    /// In the smallest node alone.
    Elsewhere,
}

/// A rule that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Off {
    /// What is checked is chosen, and known, before the answer is given.
    LateChoice,
    /// A copy that is to be compared goes out with the job itself.
    OneAfterTheOther,
    /// New devices have a vote.
    NewcomersWithoutVote,
    /// A device has one lot for all nodes.
    LotsOfNodes,
    /// Two devices are enough for an answer in a small lot.
    Repeats,
}

/// One play.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Jobs of each node of the run.
    pub nodes: Vec<usize>,
    /// Devices at a time.
    pub devices: usize,
    /// Answers after which a device leaves, on average.
    pub life: f64,
    /// The share of devices that lie.
    pub liars: f64,
    pub kind: Kind,
    /// The gang's places stay its own: a liar that leaves or has to rest comes back at once as a new device.
    pub returns: bool,
    /// So many new devices of the gang besides, all the time: each leaves when others would be established.
    pub flood: usize,
    pub error: ErrorShare,
    pub assumed: AssumedShare,
    /// The first devices are established.
    pub is_known: bool,
    pub off: Option<Off>,
    pub seed: u64,
}

impl Setting {
    /// One pool, 400 devices that are established, of which a twentieth lies.
    pub fn new(jobs: usize, kind: Kind) -> Self {
        Self {
            nodes: vec![jobs],
            devices: 400,
            life: 400.0,
            liars: 0.05,
            kind,
            returns: false,
            flood: 0,
            error: ErrorShare::of_millionths(1000).unwrap_or(ErrorShare::LARGEST),
            assumed: AssumedShare::default(),
            is_known: true,
            off: None,
            seed: 1,
        }
    }
}
