//! What of the pages is not run, and why.

use std::collections::BTreeSet;

/// A page (`*` for all, or one that begins so with a `*` at the end), how the block or command begins, and the reason.
type Row = (&'static str, &'static str, &'static str);

/// Blocks that are not looked at here.
const BLOCKS: &[Row] = &[
    ("docs/errors/W*", "", "crates/workflow/tests/suite/pages.rs tries each example with its cure"),
    ("docs/errors/diagnostics.md", "", "the sources of those examples"),
    ("docs/protocol.md", "GET ", "tests/e2e/documented.rs asks it"),
    ("docs/protocol.md", "POST ", "tests/e2e/documented.rs asks it"),
    ("docs/protocol.md", "<", "tests/e2e/plain.rs sends it, or gets it"),
    (
        "docs/certificate.md",
        "",
        "names a run of long ago; crates/cli/src/verify/verify_test.rs verifies its certificate",
    ),
    ("docs/trust.md", "", "names a device by its key; tests/e2e/devices.rs marks one"),
    ("docs/performance.md", "", "a benchmark takes minutes and judges nothing"),
    ("docs/dev.md", "", "builds the code, profiles it, starts a database: for those who change it"),
    ("README.md", "weevil run examples/believe", "needs three devices; tests/e2e/trust/believe.rs has them"),
    ("examples/believe/README.md", "", "needs three devices; tests/e2e/trust/believe.rs has them"),
    (
        "examples/python-worker/README.md",
        "",
        "a worker goes on for ever; docs/how-to/write-a-worker.md ends it",
    ),
];

/// Commands that are not run.
const COMMANDS: &[Row] = &[
    ("*", "cargo ", "builds what is built already, or takes a target that only some compilers bring"),
    ("README.md", "target/release/weevil", "a release build; `weevil serve` is asked elsewhere"),
    ("README.md", "curl http://ADDRESS-OF-THIS-MACHINE", "for another machine"),
    ("README.md", "weevil top", "goes on until it is ended; tests/e2e/cli_screens.rs looks at it"),
    ("README.md", "weevil run add --local", "a browser more; tests/e2e/local.rs runs it"),
    ("README.md", "weevil run workflows/add --local", "the same"),
    (
        "docs/operations.md",
        "weevil db backup",
        "paths of a machine; docs/how-to/backup-and-move.md makes one",
    ),
    ("docs/operations.md", "mariadb", "needs a MariaDB with data in it"),
    (
        "workflows/flops/README.md",
        "weevil run",
        "a minute of all cores; tests/e2e/shipped.rs has smaller numbers",
    ),
    ("workflows/pi/README.md", "weevil run", "the same"),
    ("examples/wasm-rust/README.md", "cp ", "what cargo would have built"),
    (
        "examples/job-queue/README.md",
        "python3 examples/python-worker",
        "goes on for ever; a browser computes here",
    ),
];

#[derive(Default)]
pub(super) struct Exceptions {
    used: BTreeSet<Row>,
}

impl Exceptions {
    /// Whether a whole block is excepted.
    pub(super) fn whole(&mut self, page: &str, text: &str) -> bool {
        self.find(BLOCKS, page, text)
    }

    /// Whether one command is.
    pub(super) fn command(&mut self, page: &str, text: &str) -> bool {
        self.find(COMMANDS, page, text)
    }

    fn find(&mut self, rows: &[Row], page: &str, text: &str) -> bool {
        let fits = |(pages, begin, _): &&Row| {
            let named = pages.strip_suffix('*').map_or(*pages == page, |begin| page.starts_with(begin));
            named && text.starts_with(begin)
        };
        let row = rows.iter().find(fits);
        self.used.extend(row);
        row.is_some()
    }

    /// Rows that nothing has needed.
    pub(super) fn unused(&self) -> Vec<String> {
        let all = BLOCKS.iter().chain(COMMANDS);
        all.filter(|row| !self.used.contains(row))
            .map(|(page, begin, _)| format!("{page}: {begin}"))
            .collect()
    }
}
