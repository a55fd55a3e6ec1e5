//! Bounds of the protocol.

/// Bytes of a body in which its root has to say who sends it.
pub const PEEK_BYTES: usize = 4096;
/// Elements of one message: five for each of the results that a worker can hold, and the message itself.
pub(super) const MAX_ELEMENTS: usize = 5 * weevil_model::limits::MAX_IN_FLIGHT as usize + 1;
/// Nesting of elements in one message; the deepest needs four.
pub(super) const MAX_DEPTH: usize = 8;
/// Attributes of one element; the longest tag needs eight.
pub(super) const MAX_ATTRIBUTES: usize = 16;
