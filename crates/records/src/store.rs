//! What a database must do, all of it together; a trait for each noun stands in a file of its own. Implementations live in
//! `weevil-store`; the rules they obey in `weevil_queue::decide`.

use crate::{
    Batches, Blobs, Certificates, Devices, Jobs, LookingBack, Pauses, Questions, Runs, Waits, Workers,
    Workflows,
};

/// Durable truth: whatever a method of these traits changes, it changes in one transaction. When it returns, its effects
/// survive SIGKILL and power loss. What only looks sees what is committed; where it takes two looks, at a job and its
/// attempts for instance, something may be committed between them. A function takes the narrowest of them.
pub trait Store:
    Batches
    + Jobs
    + LookingBack
    + Runs
    + Pauses
    + Workflows
    + Blobs
    + Devices
    + Waits
    + Workers
    + Certificates
    + Questions
{
}

impl<T> Store for T where
    T: Batches
        + Jobs
        + LookingBack
        + Runs
        + Pauses
        + Workflows
        + Blobs
        + Devices
        + Waits
        + Workers
        + Certificates
        + Questions
{
}
