//! How many files and sockets the process may have open: as many as the system lets it.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use weevil_model::limits::MAX_WORKERS;
use weevil_peer::{Row, Table};

/// Makes the soft limit the hard one, and answers what holds then.
pub(crate) fn raise() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    raised.map_or(current, |()| maximum).unwrap_or(u64::MAX)
}

/// Says which setting to raise where there are fewer seats than there could be.
pub(crate) fn tell(descriptors: u64, table: &Table) {
    let seats = table.bound(Row::Seats).all;
    if seats < MAX_WORKERS as u64 {
        tracing::warn!(
            descriptors,
            seats,
            "the limit of open files leaves room for fewer workers than {MAX_WORKERS}: raise it with LimitNOFILE of the \
             service, or with `ulimit -Hn`"
        );
    }
}
