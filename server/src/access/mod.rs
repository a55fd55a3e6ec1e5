//! Who asks: what the rules of `weevil-access` need to be kept, and the file that proves who owns this process.
//!
//! Never reads a path and never decides what somebody may do.

mod breached;
mod cache;
mod doors;
mod first_admin;
mod hashing;
mod keeper;
mod local;
mod logins;
mod lost;
mod notary;
mod people;
mod rates;
mod runtime;
mod sessions;
mod signed_in;
mod sums;
mod throttles;
mod tokens;
mod usage;
mod who;

pub(crate) use breached::BreachedFile;
pub(crate) use doors::Access;
pub(crate) use first_admin::first_admin;
pub(crate) use hashing::{Busy, Hashing, Turn};
pub(crate) use keeper::Keeper;
pub(crate) use local::Local;
pub(crate) use logins::{Approval, Logins};
pub(crate) use lost::{Reach, Reading};
pub(crate) use people::People;
pub(crate) use people::PeopleSettings;
pub(crate) use rates::{Charge, OpenStream, Rates, Subject};
pub(crate) use runtime::LocalFile;
pub(crate) use signed_in::Renewed;
pub(crate) use sums::Sums;
pub(crate) use throttles::{Begun, Throttles};
pub(crate) use usage::{Admitted, Rooms};
pub(crate) use who::{Asking, BadToken, Proof, Proved, own_cookie};
