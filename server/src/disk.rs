//! How much room is left on the disk with the data folder, looked at now and then.
//!
//! Never frees any: what to do is a person's choice.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use actix_web::web::block;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use rustix::fs::statvfs;
use weevil_engine::common::Common;

/// Between two looks.
const EVERY: Duration = Duration::from_secs(10);
/// Where nothing is known of the disk, it is not called full.
const UNKNOWN: f64 = f64::INFINITY;

#[derive(Debug, Clone)]
pub(crate) struct Disk {
    folder: PathBuf,
    /// Bytes below which people are told.
    least: u64,
    /// Bytes that are left.
    free: Gauge<f64, AtomicU64>,
}

impl Disk {
    /// Looks once. `least_mib`: below so many free MiB people are told; 0: never.
    pub(crate) fn new(folder: PathBuf, least_mib: u32) -> Self {
        let disk = Self { folder, least: u64::from(least_mib) << 20, free: Gauge::default() };
        disk.free.set(free(&disk.folder));
        disk
    }

    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Room that is left on the disk with the data folder";
        registry.register_with_unit("disk_free", help, Unit::Bytes, self.free.clone());
    }

    /// Bytes that are left, where that is too few.
    pub(crate) fn short(&self) -> Option<u64> {
        let free = self.free.get();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, where it is told"
        )]
        let bytes = free as u64;
        (free < self.least as f64).then_some(bytes)
    }

    /// Looks again for as long as it is polled. A disk that does not answer holds up nothing else.
    pub(crate) async fn run(self, common: Common) {
        loop {
            common.clock.sleep(EVERY).await;
            let folder = self.folder.clone();
            if let Ok(free) = block(move || free(&folder)).await {
                self.free.set(free);
            }
        }
    }
}

/// What somebody who is not root may still write.
fn free(folder: &Path) -> f64 {
    statvfs(folder).map_or(UNKNOWN, |disk| disk.f_bavail.saturating_mul(disk.f_frsize) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_told_below_the_bound_and_of_a_known_disk_alone() {
        let folder = std::env::temp_dir();
        for (folder, least_mib, told) in [
            (folder.clone(), 0, false),
            (folder, u32::MAX, true),
            (PathBuf::from("/no/such/folder"), u32::MAX, false),
        ] {
            assert_eq!(Disk::new(folder, least_mib).short().is_some(), told, "{least_mib}");
        }
    }
}
