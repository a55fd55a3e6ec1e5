//! The `Store` trait over SQLite: the only SQL in the project.
//!
//! Carries out what the rules of `weevil-queue` decide, one transaction per batch and one statement per kind of
//! change. Never decides anything about jobs itself, never reads a clock.

mod sqlite;

pub use sqlite::{BackupError, SqliteStore, backup};
