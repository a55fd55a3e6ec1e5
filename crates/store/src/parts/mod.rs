//! The parts of a batch and the nouns beside it: the rows of each, the calls of the rules, and the statements in the words of
//! both databases. Never knows a driver.

pub(crate) mod access;
pub(crate) mod answers;
pub(crate) mod apply;
pub(crate) mod audited;
pub(crate) mod barred;
pub(crate) mod blobs;
pub(crate) mod cancel;
pub(crate) mod case;
pub(crate) mod changes;
pub(crate) mod claim;
pub(crate) mod complete;
pub(crate) mod copies;
pub(crate) mod deal;
pub(crate) mod depth;
pub(crate) mod devices;
pub(crate) mod due;
pub(crate) mod enqueue;
pub(crate) mod facts;
pub(crate) mod forget;
pub(crate) mod held;
pub(crate) mod history;
pub(crate) mod judged;
pub(crate) mod pause;
pub(crate) mod project_files;
pub(crate) mod release;
pub(crate) mod renew;
pub(crate) mod reopen;
pub(crate) mod reports;
pub(crate) mod run_ends;
pub(crate) mod run_lists;
pub(crate) mod runs;
pub(crate) mod usage;
pub(crate) mod versions;
pub(crate) mod workflow_names;
pub(crate) mod workflows;
