//! How long a workflow takes that somebody tries on a machine without a server.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use weevil_e2e::shipped;

use crate::measure::Figures;

/// Seconds from the command to the result of `add`, with a server and a browser of its own; the machine has read both before.
pub(crate) fn add(binary: &Path, figures: usize) -> Vec<Figures> {
    let folder = tempfile::Builder::new().prefix("l").tempdir().expect("a folder");
    for (path, bytes) in shipped("add") {
        std::fs::write(folder.path().join(path), bytes).expect("a file can be written");
    }
    let time = || {
        let began = Instant::now();
        let said = Command::new(binary).args(["run", "--local"]).arg(folder.path()).output();
        let said = said.expect("the binary runs");
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        began.elapsed().as_secs_f64()
    };
    time();
    vec![(0..figures).map(|_| time()).collect()]
}
