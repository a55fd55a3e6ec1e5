//! What vouches for certificates: whoever has the server's keys.

/// Signs certificates, and names devices in them. Never reads what it signs.
pub trait Notary: Send + Sync {
    /// The public half of the key: Ed25519 (RFC 8032).
    fn key(&self) -> [u8; 32];

    fn sign(&self, message: &[u8]) -> [u8; 64];

    /// What stands for a device in the certificate of this run or job, and in no other.
    fn pseudonym(&self, of: &str, device: i64) -> u64;
}
