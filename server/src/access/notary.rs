//! The key that certificates are signed with: Ed25519 (RFC 8032), by `ring`. Never tells its private half.

use ring::signature::{Ed25519KeyPair, KeyPair};
use weevil_access::{CertificateKey, ServerSecret};
use weevil_engine::certificates::Notary;

/// A server's keys for certificates.
pub(crate) struct Keys {
    pair: Ed25519KeyPair,
    /// Names devices.
    secret: ServerSecret,
}

impl Keys {
    /// # Errors
    /// 32 bytes that are no private key; there are none.
    pub(super) fn new(key: &CertificateKey, secret: ServerSecret) -> Result<Self, std::io::Error> {
        let pair = Ed25519KeyPair::from_seed_unchecked(key.as_bytes());
        Ok(Self { pair: pair.map_err(|error| std::io::Error::other(error.to_string()))?, secret })
    }
}

impl Notary for Keys {
    fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        for (byte, public) in key.iter_mut().zip(self.pair.public_key().as_ref()) {
            *byte = *public;
        }
        key
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        let mut signature = [0; 64];
        for (byte, signed) in signature.iter_mut().zip(self.pair.sign(message).as_ref()) {
            *byte = *signed;
        }
        signature
    }

    fn pseudonym(&self, of: &str, device: i64) -> u64 {
        self.secret.device_pseudonym(of, device)
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ED25519, UnparsedPublicKey};

    use super::*;

    #[test]
    fn what_is_signed_is_verified_with_the_public_half() {
        let secret = ServerSecret::from_bytes([1; 32]);
        let keys = Keys::new(&CertificateKey::from_bytes([2; 32]), secret.clone()).unwrap();
        let other = Keys::new(&CertificateKey::from_bytes([3; 32]), secret).unwrap();
        let verify = |by: &Keys, message: &[u8]| {
            UnparsedPublicKey::new(&ED25519, by.key()).verify(message, &keys.sign(b"line")).is_ok()
        };
        assert_eq!(
            (verify(&keys, b"line"), verify(&keys, b"lines"), verify(&other, b"line")),
            (true, false, false)
        );
    }
}
