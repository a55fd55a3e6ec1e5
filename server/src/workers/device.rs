//! Which device a worker is, where it says so: checks its signature, counts the values from it that ended a job.
//!
//! Knows a device by its key alone. Never refuses a worker that says nothing.

use std::sync::Arc;

use ring::signature::{ECDSA_P256_SHA256_FIXED, ED25519, UnparsedPublicKey, VerificationAlgorithm};
use weevil_engine::common::Common;
use weevil_model::ContentHash;
use weevil_protocol::frame::{Identity, KeyKind};
use weevil_protocol::identity::{NONCE_BYTES, signed_text};

use crate::seeds;

/// Characters of a fingerprint that name a device to people.
const NAME_CHARS: usize = 8;

/// What a session knows of its worker's device.
pub(super) struct DeviceIdentity {
    /// How the worker knows this server: host and port.
    host: String,
    /// Signed once; `None` before the welcome and after an identity.
    nonce: Option<[u8; NONCE_BYTES]>,
    device: Option<ContentHash>,
    /// Values that ended their job and are not counted yet.
    accepted: u32,
}

impl DeviceIdentity {
    pub(super) const fn new(host: String) -> Self {
        Self { host, nonce: None, device: None, accepted: 0 }
    }

    /// For the welcome. Without randomness nobody is asked who it is.
    pub(super) fn ask(&mut self) -> Option<[u8; NONCE_BYTES]> {
        self.nonce = seeds::nonce().ok();
        self.nonce
    }

    /// Answers the device's name for people; `None` where the signature does not hold.
    pub(super) fn hear(&mut self, identity: &Identity) -> Option<String> {
        let text = signed_text(&self.nonce.take()?, &self.host);
        let fingerprint = checked(identity, &text)?;
        self.device = Some(fingerprint);
        Some(fingerprint.to_string().chars().take(NAME_CHARS).collect())
    }

    pub(super) fn accepted(&mut self, results: usize) {
        self.accepted = self.accepted.saturating_add(u32::try_from(results).unwrap_or(u32::MAX));
    }

    /// Has the store count what was accepted. A device is kept only for its work, so that keys cost whoever makes them
    /// more than a connection.
    pub(super) fn count(&mut self, common: &Common) {
        let (Some(device), accepted @ 1..) = (self.device, std::mem::take(&mut self.accepted)) else {
            return;
        };
        let (store, now) = (Arc::clone(&common.store), common.clock.now());
        actix_web::rt::spawn(async move {
            if let Err(error) = store.count_device(device, accepted, now).await {
                tracing::warn!(%error, accepted, "work of a device is not counted");
            }
        });
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
