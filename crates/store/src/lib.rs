//! The `Store` trait over SQLite and over MySQL or MariaDB: the only SQL in the project.
//!
//! Carries out what the rules of `weevil-queue` decide, one transaction per batch and one statement per kind of
//! change. Never decides anything about jobs itself, never reads a clock.

mod audit;
mod database;
mod migrations;
mod mysql;
mod shared;
mod sqlite;
mod words;

pub use audit::{Audit, Broken, audit};
pub use database::{Database, DatabaseError, Server, open};
pub use mysql::MySqlStore;
pub use sqlite::{BackupError, SqliteStore, backup};
