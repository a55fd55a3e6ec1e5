//! What faces, accounts, projects and usage cost the work itself: the figures of the queue with all of them there, for any
//! release; one that does not know them is left without.

use std::path::Path;

use weevil_e2e::{DatabaseKind, TestServer};

use crate::measure::Figures;
use crate::residents::{self, ACCOUNTS, PROJECTS};
use crate::sizes::sized;
use crate::{queue, subject};

/// A face for strangers, which the workers then come by.
const PUBLIC: &str = "--public-listen";

/// Jobs a second.
pub(crate) fn rates(binary: &Path, kind: DatabaseKind, figures: usize) -> Vec<Figures> {
    let jobs = match kind {
        DatabaseKind::Sqlite => queue::SQLITE_JOBS,
        DatabaseKind::MariaDb => queue::MARIADB_JOBS,
    };
    let figure = |_| {
        let (server, door) = settled(binary, kind);
        queue::rate(&server, &door, sized(jobs)).0
    };
    vec![(0..figures).map(figure).collect()]
}

/// The 99th percentile of dispatch, in milliseconds.
pub(crate) fn dispatch(binary: &Path, figures: usize) -> Vec<Figures> {
    let (server, door) = settled(binary, DatabaseKind::Sqlite);
    let [_, p99] = queue::waits(&server, &door, figures);
    vec![p99]
}

/// A server with people, and where its workers come in.
fn settled(binary: &Path, kind: DatabaseKind) -> (TestServer, String) {
    let public = subject::knows(binary, PUBLIC);
    let args = [PUBLIC, "127.0.0.1:0"];
    let mut server = kind.start(binary, if public { &args } else { &[] });
    residents::settle(&server, kind, ACCOUNTS, PROJECTS);
    let door = if public { server.public_address() } else { server.address.clone() };
    (server, door)
}
