//! Bytes that are known by their hash alone: what a database does with them.

use async_trait::async_trait;
use weevil_model::{ContentHash, Timestamp};

use crate::StoreError;

/// Each content once, however many workflows and jobs have it.
#[async_trait]
pub trait Blobs: Send + Sync {
    /// Keeps code that no workflow has; bytes that are there are not stored again.
    async fn keep_code(&self, code: &[u8], now: Timestamp) -> Result<ContentHash, StoreError>;

    /// The bytes with this hash.
    async fn blob(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError>;
}
