//! What a server signs its certificates with. It never draws one, never signs, and `Debug` never prints it.

use std::fmt;

/// 32 random bytes: an Ed25519 private key (RFC 8032, section 5.1.5), shared by the replicas of a server.
#[derive(Clone)]
pub struct CertificateKey([u8; 32]);

impl CertificateKey {
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// For the row that keeps it, and for whoever signs.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for CertificateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_prints_no_byte() {
        assert_eq!(format!("{:?}", CertificateKey::from_bytes([1; 32])), "CertificateKey(..)");
    }
}
