//! A run goes on to the same result when the server, or its database, is killed with SIGKILL at any named moment, or when
//! the answers to commits are lost. Nothing that was answered runs again.

mod answer_lost;
mod database_dies;
mod failed_take_up;
mod scene;
mod server_dies;

use weevil_failpoint::Point;

/// Every moment, and at which of its visits it is deadly: once where a run passes it once.
fn moments() -> impl Iterator<Item = (Point, u32)> {
    Point::ALL.iter().flat_map(|point| visits(*point).iter().map(|nth| (*point, *nth)))
}

const fn visits(point: Point) -> &'static [u32] {
    match point {
        Point::BatchGathered
        | Point::ResultsWritten
        | Point::JobsWritten
        | Point::LeasesWritten
        | Point::Committing
        | Point::BatchCommitted
        | Point::ExecutorsTold => &[1, 2, 3, 5],
        Point::RunStored
        | Point::PoolReducing
        | Point::RunEnding
        | Point::RunEnded
        | Point::Restarting
        | Point::RunResumed => &[1],
        // Only where a database refuses something, a run cannot be taken up, somebody makes an account, or a job is judged:
        // `hostile_clients/feeder.rs`, `failed_take_up.rs`, `access/accounts.rs`, `access/tokens.rs`, `trust/restart.rs`,
        // `trust/lots.rs`, `trust/retrace.rs`, `trust/referee.rs`, `trust/modules.rs`.
        Point::PieceCommitted
        | Point::AnswerWritten
        | Point::LotClosed
        | Point::DeviceRefuted
        | Point::RunRetraced
        | Point::Judged
        | Point::TakeUpFailed
        | Point::LinkUsed
        | Point::AccountStored
        | Point::TokenStored => &[],
    }
}

/// Passed by a server that another one has left runs to: before it listens, or soon after.
const fn at_start(point: Point) -> bool {
    matches!(point, Point::Restarting | Point::RunResumed)
}
