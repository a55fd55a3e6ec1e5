//! Everything on the wire between server, worker and pages, and its version.
//!
//! `frame` is the WebSocket, `plain` the worker's plain HTTP in XML, `page` and `slot` the messages inside the volunteer's browser.
//! Never does IO; knows no queue rules, no workflow language and no body of the HTTP API.

mod bounded;
mod code_kind;
pub mod frame;
mod frame_codec;
mod hello;
pub mod identity;
pub mod page;
pub mod plain;
pub mod slot;
pub mod standing;
mod typescript;

pub use frame_codec::FrameError;
pub use typescript::typescript;

/// The version both sides say first. A client with another one is told to reload.
pub const PROTOCOL_VERSION: u32 = 1;
/// The path of the worker's WebSocket.
pub const WORKER_SOCKET_PATH: &str = "/ws/v1";
/// Where the bytes of a code are, below their content hash in hex.
pub const BLOBS_PATH: &str = "/blobs";
/// Where the kernels of a workflow are listed, below its content hash in hex.
pub const KERNELS_PATH: &str = "/kernels";
