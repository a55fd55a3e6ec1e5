//! Who may do what: callers and their rights, secrets, sessions, passwords, throttles, rates, quotas, the audit's chain.
//!
//! Pure: no clock, no chance, no IO. Moments, random bytes and the words of files come in as arguments.

pub mod secret;

pub use secret::{Secret, SecretError, SecretHash, SecretKind};
