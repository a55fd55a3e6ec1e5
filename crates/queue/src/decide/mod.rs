//! The rules: facts in, decisions out. No function here changes anything.

pub mod claim;
pub mod company;
pub mod complete;
pub mod copies;
pub mod due;
pub mod effort;
pub mod enqueue;
pub mod expire;
pub mod interval;
pub mod lane;
pub mod pace;
pub mod parties;
pub mod retry;
pub mod reuse;
pub mod server;
pub mod spare;
pub mod standing;
pub mod stopped;
pub mod term;
pub mod wait;
pub mod window;
