//! Who may do what: callers and their rights, secrets, sessions, passwords, throttles, rates, quotas, the audit's chain.
//!
//! Pure: no clock, no chance, no IO. Moments, random bytes and the words of files come in as arguments.

mod cookie;
pub mod limits;
mod name;
mod password;
mod secret;

pub use cookie::{CookieKind, Way, cookie_name, cookie_value, set_cookie};
pub use name::{AccountName, NameError, ProjectSlug, Title};
pub use password::{BreachedError, BreachedList, Comparison, HashingError, Password, WeakPassword};
pub use secret::{Secret, SecretError, SecretHash, SecretKind};
