//! What is kept and read back: workflows, runs, devices, the history of jobs; and what a database must do with it.
//!
//! Never decides anything, and knows no SQL: the rules are `weevil-queue`'s, the databases `weevil-store`'s.

mod device;
pub mod history;
mod run;
mod store;

pub use device::Device;
pub use history::{AttemptRecord, JobRecord};
pub use run::{
    Forgotten, JobTimes, NamedWorkflow, RunEnd, RunInput, RunRecord, Scope, SlotTotals, StoredWorkflow,
    WorkflowVersion,
};
pub use store::{Store, StoreError};
