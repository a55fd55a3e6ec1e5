//! What a device key signs: proof that whoever speaks is the device that it was before. Signs and verifies nothing.

/// Keeps these signatures apart from those of any other purpose.
const PURPOSE: &[u8] = b"weevil device key 1\n";

/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 32;

/// The text to be signed: the server's nonce, and the host and port by which the worker knows the server, so that
/// another server cannot pass it on.
pub fn signed_text(nonce: &[u8], host: &str) -> Vec<u8> {
    [PURPOSE, nonce, host.as_bytes()].concat()
}
