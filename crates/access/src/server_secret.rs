//! The server's own secret, and what it vouches for with an HMAC. It never draws one, and `Debug` never prints it.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// What is vouched for. Each purpose stands in its tags, so that no tag serves another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    SessionKey,
    KnownBrowser,
    Network,
    CertifiedDevice,
}

impl Purpose {
    const fn label(self) -> &'static [u8] {
        match self {
            Self::SessionKey => b"session key\0",
            Self::KnownBrowser => b"known browser\0",
            Self::Network => b"network\0",
            Self::CertifiedDevice => b"certified device\0",
        }
    }
}

/// 32 random bytes that the replicas of a server share.
#[derive(Clone)]
pub struct ServerSecret([u8; 32]);

impl ServerSecret {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// For the row that keeps it.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// What is kept of a network instead of its bytes: 63 bits, the same for the same network. Whoever has this secret can find the
    /// network by trying all of them.
    pub fn network_pseudonym(&self, network: &[u8]) -> i64 {
        self.number(Purpose::Network, network).cast_signed() & i64::MAX
    }

    /// What stands for a device in the certificate of a run, or of a job: the same there, and another one elsewhere.
    pub fn device_pseudonym(&self, certified: &str, device: i64) -> u64 {
        let message = [certified.as_bytes(), &[0], &device.to_le_bytes()].concat();
        self.number(Purpose::CertifiedDevice, &message)
    }

    fn number(&self, purpose: Purpose, message: &[u8]) -> u64 {
        let [one, two, three, four, five, six, seven, eight, ..] = self.tag(purpose, message);
        u64::from_le_bytes([one, two, three, four, five, six, seven, eight])
    }

    /// The tag of a message for one purpose: HMAC-SHA-256 (RFC 2104).
    pub(crate) fn tag(&self, purpose: Purpose, message: &[u8]) -> [u8; 32] {
        self.mac(purpose, message).finalize().into_bytes().into()
    }

    /// Whether that is the tag of the message, in a time that does not depend on where they differ.
    pub(crate) fn vouches(&self, purpose: Purpose, message: &[u8], tag: &[u8; 32]) -> bool {
        self.mac(purpose, message).verify(&(*tag).into()).is_ok()
    }

    fn mac(&self, purpose: Purpose, message: &[u8]) -> Hmac<Sha256> {
        // A key shorter than a block of the hash counts as if zeros followed it.
        let mut block = [0; 64];
        block[..32].copy_from_slice(&self.0);
        Hmac::new(&block.into()).chain_update(purpose.label()).chain_update(message)
    }
}

impl fmt::Debug for ServerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServerSecret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pseudonym_is_of_one_network_and_one_secret() {
        let secret = ServerSecret::from_bytes([1; 32]);
        let known = secret.network_pseudonym(&[192, 0, 2]);
        assert!(known >= 0);
        assert_eq!(secret.network_pseudonym(&[192, 0, 2]), known);
        for (secret, network) in [
            (&secret, &[192, 0, 3][..]),
            (&secret, &[192, 0, 2, 0]),
            (&ServerSecret::from_bytes([2; 32]), &[192, 0, 2]),
        ] {
            assert_ne!(secret.network_pseudonym(network), known, "{network:?}");
        }
    }

    #[test]
    fn a_device_is_the_same_in_one_certificate_alone() {
        let secret = ServerSecret::from_bytes([1; 32]);
        let known = secret.device_pseudonym("run_1", 7);
        assert_eq!(secret.device_pseudonym("run_1", 7), known);
        for (secret, certified, device) in
            [(&secret, "run_2", 7), (&secret, "run_1", 8), (&ServerSecret::from_bytes([2; 32]), "run_1", 7)]
        {
            assert_ne!(secret.device_pseudonym(certified, device), known, "{certified} {device}");
        }
    }

    #[test]
    fn a_tag_holds_for_one_secret_one_purpose_and_one_message() {
        let secret = ServerSecret::from_bytes([1; 32]);
        let tag = secret.tag(Purpose::SessionKey, b"message");
        let mut other_tag = tag;
        other_tag[31] ^= 1;
        for (secret, purpose, message, tag, holds) in [
            (&secret, Purpose::SessionKey, b"message", tag, true),
            (&ServerSecret::from_bytes([2; 32]), Purpose::SessionKey, b"message", tag, false),
            (&secret, Purpose::KnownBrowser, b"message", tag, false),
            (&secret, Purpose::SessionKey, b"massage", tag, false),
            (&secret, Purpose::SessionKey, b"message", other_tag, false),
        ] {
            assert_eq!(secret.vouches(purpose, message, &tag), holds, "{purpose:?} {message:?}");
        }
    }

    #[test]
    fn the_tag_is_the_hmac_of_label_and_message() {
        let tag = ServerSecret::from_bytes([11; 32]).tag(Purpose::SessionKey, b"abc");
        assert_eq!(hex::encode(tag), "06eeb734206a199fc10b6d627c66d0edfc8f38d65a68bae98675d8aaf8556ec8");
    }

    #[test]
    fn debug_prints_no_byte() {
        assert_eq!(format!("{:?}", ServerSecret::from_bytes([1; 32])), "ServerSecret(..)");
    }
}
