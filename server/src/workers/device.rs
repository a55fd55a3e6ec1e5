//! Which device a worker is, where it says so: checks its signature.
//!
//! Knows a device by its key alone. Never refuses a worker that says nothing, and counts nothing: what a device reports the
//! store adds up.

use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm};
use weevil_model::ContentHash;
use weevil_protocol::frame::{Identity, KeyKind};
use weevil_protocol::identity::{NONCE_BYTES, signed_text};

use crate::seeds;

/// What a session knows of its worker's device.
pub(super) struct DeviceIdentity {
    /// How the worker knows this server: host and port.
    host: String,
    /// Signed once; `None` before the welcome and after an identity.
    nonce: Option<[u8; NONCE_BYTES]>,
}

impl DeviceIdentity {
    pub(super) const fn new(host: String) -> Self {
        Self { host, nonce: None }
    }

    /// For the welcome. Without randomness nobody is asked who it is.
    pub(super) fn ask(&mut self) -> Option<[u8; NONCE_BYTES]> {
        self.nonce = seeds::nonce().ok();
        self.nonce
    }

    /// Answers the fingerprint of the device's key; `None` where the signature does not hold.
    pub(super) fn hear(&mut self, identity: &Identity) -> Option<ContentHash> {
        let text = signed_text(&self.nonce.take()?, &self.host);
        checked(identity, &text)
    }
}

/// The fingerprint of a key whose signature is sound.
fn checked(identity: &Identity, text: &[u8]) -> Option<ContentHash> {
    let (name, algorithm): (_, &'static dyn VerificationAlgorithm) = match identity.kind {
        KeyKind::Ed25519 => ("ed25519", &ED25519),
        KeyKind::P256 => ("p256", &ECDSA_P256_SHA256_FIXED),
    };
    let key = UnparsedPublicKey::new(algorithm, identity.key.as_slice());
    key.verify(text, &identity.signature).ok()?;
    Some(ContentHash::of_parts([(name, identity.key.as_slice())]))
}
