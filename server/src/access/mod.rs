//! Who asks: what the rules of `weevil-access` need to be kept, and the file that proves who owns this process.
//!
//! Never reads a path and never decides what somebody may do.

mod doors;
mod keeper;
mod local;
mod rates;
mod runtime;
mod sessions;
mod sums;
mod who;

pub(crate) use doors::Access;
pub(crate) use keeper::Keeper;
pub(crate) use local::Local;
pub(crate) use rates::{Charge, OpenStream, Rates, Subject};
pub(crate) use runtime::LocalFile;
pub(crate) use sums::Sums;
pub(crate) use who::{BadToken, Proof};
