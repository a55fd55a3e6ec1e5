//! Writes what the upgrade tests open: databases that the SIGKILL of an older release has left, and its answers over them.
//!
//! `upgrade-fixture SERVER FOLDER`, once for each release that is to be upgraded from; see `tests/upgrade/README.md`.

mod dump;
mod story;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use weevil_e2e::upgrade::{Answers, Fixture, MOMENT};
use weevil_e2e::{DatabaseKind, MariaDb, ShiftedClock, TestServer};

#[derive(Debug, Parser)]
struct Options {
    /// The binary of the release that is to be upgraded from.
    server: PathBuf,
    /// Where the files go.
    #[arg(default_value = "tests/upgrade")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let Options { server, folder } = Options::parse();
    for kind in [DatabaseKind::Sqlite, DatabaseKind::MariaDb] {
        let fixture = Fixture::of(kind, folder.clone());
        leave(&fixture, &server);
        let clock = ShiftedClock::of(&server);
        clock.stand(MOMENT);
        let answers = settled(&fixture.open(&clock));
        fixture.keep_answers(&answers);
        println!("{}", fixture.tables().display());
    }
    ExitCode::SUCCESS
}

/// Lets the story happen, kills the server in the middle of it, and keeps its tables.
fn leave(fixture: &Fixture, binary: &Path) {
    let clock = ShiftedClock::of(binary);
    let database = MariaDb::shared().database();
    let mut server = match fixture.kind {
        DatabaseKind::Sqlite => story::start(&clock, &[]),
        DatabaseKind::MariaDb => story::start(&clock, &["--database", &database]),
    };
    story::play(&server, &clock);
    server.kill();
    // A file of before would be in the way of a backup.
    let _gone = fs::remove_file(fixture.tables());
    match fixture.kind {
        DatabaseKind::Sqlite => back_up(&server, binary, &fixture.tables()),
        DatabaseKind::MariaDb => {
            let name = database.rsplit('/').next().expect("an address ends with a name");
            fs::write(fixture.tables(), dump::dump(MariaDb::shared(), name)).expect("the folder is there");
        }
    }
}

/// One file of what lies in the database and in its log.
fn back_up(server: &TestServer, binary: &Path, to: &Path) {
    let made = Command::new(binary).args(["db", "backup"]).arg(to).arg("--data").arg(server.data()).output();
    let made = made.expect("the server's program can be started");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Once the open runs stand again nothing changes any more: nobody computes.
fn settled(server: &TestServer) -> Answers {
    server.api().await_runs(|runs| story::stands_again(runs));
    let mut answers = Answers::all(&server.api(), &[story::QUEUE]);
    loop {
        let again = answers.again(&server.api());
        if again == answers {
            return again;
        }
        answers = again;
    }
}
