//! Randomness that only the wire, secrets and the log need; the engine's is in `weevil_engine::seeds`.

use weevil_protocol::identity::NONCE_BYTES;

/// What a device signs to prove that it is there now.
pub(crate) fn nonce() -> Result<[u8; NONCE_BYTES], getrandom::Error> {
    let mut bytes = [0; NONCE_BYTES];
    getrandom::fill(&mut bytes).map(|()| bytes)
}

/// What a token, a link or a session is made of.
pub(crate) fn secret() -> Result<[u8; 32], getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map(|()| bytes)
}

/// What a password is hashed with.
pub(crate) fn salt() -> Result<[u8; 16], getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map(|()| bytes)
}

/// What somebody copies from one screen to another.
pub(crate) fn code() -> Result<[u8; 8], getrandom::Error> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map(|()| bytes)
}

/// Tells one request from the others in the log; without randomness it is a constant, and nothing is lost but that.
pub(crate) fn request_id() -> String {
    let mut bytes = [0; 8];
    let _constant = getrandom::fill(&mut bytes);
    format!("{:016x}", u64::from_be_bytes(bytes))
}
