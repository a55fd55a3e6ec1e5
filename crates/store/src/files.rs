//! Bytes that are known by their hash, over a driver: a line for each method, a part for what it does.

use async_trait::async_trait;
use weevil_model::{ContentHash, ProjectId, Timestamp};
use weevil_records::{Blob, Blobs, StoreError};

use crate::db::{Db, reads, writes};
use crate::driver::Driver;
use crate::fault::{Fault, retried};
use crate::parts::{blobs, kernel_sets, project_files};

#[async_trait]
impl<D: Driver> Blobs for Db<D> {
    async fn keep_code(
        &self,
        project: ProjectId,
        code: &[u8],
        now: Timestamp,
    ) -> Result<ContentHash, StoreError> {
        writes!(self, "code" at now, tx => blobs::keep_code(tx, project, code))
    }

    async fn blob_projects(&self, hash: ContentHash) -> Result<Vec<ProjectId>, StoreError> {
        reads!(self, tx => project_files::projects(tx, hash))
    }

    async fn keep_kernels(
        &self,
        code: ContentHash,
        workflow: ContentHash,
        now: Timestamp,
    ) -> Result<ContentHash, StoreError> {
        writes!(self, "kernels" at now, tx => kernel_sets::keep(tx, code, workflow))
    }

    async fn kernels_of(&self, set: ContentHash) -> Result<Option<ContentHash>, StoreError> {
        reads!(self, tx => kernel_sets::workflow(tx, set))
    }

    async fn blob(&self, hash: ContentHash) -> Result<Option<Blob>, StoreError> {
        reads!(self, tx => blobs::one(tx, hash))
    }

    async fn code(&self, hash: ContentHash) -> Result<Option<Vec<u8>>, StoreError> {
        reads!(self, tx => blobs::code(tx, hash))
    }
}
