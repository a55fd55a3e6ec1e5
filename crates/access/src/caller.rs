//! Who asks. Every front door brings its own proof of it and ends in a [`Caller`].
//!
//! Never says what a caller may do: `may.rs` does.

/// Whoever a request comes from, as far as it has proved it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Caller {
    /// It has said nothing of itself.
    Nobody,
    /// It knows what only the owner of the server's process can read, or was let in by somebody who does.
    Local,
}
