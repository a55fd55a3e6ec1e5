//! The statements that stand in the text of the store, to be compared with those that a test has run. Never runs any.

use std::path::{Path, PathBuf};

use crate::databases::Kind;

/// Files, or constants in files, whose statements belong to no batch, and whose they are. A new file belongs to it.
const OF_NO_BATCH: [(&str, &str); 31] = [
    ("mysql/open.rs", "the start of a server"),
    ("mysql/writer.rs", "every commit: the rows of servers"),
    ("ONE in parts/devices.rs", "the hello of a worker"),
    ("parts/courses.rs", "the pages of people"),
    ("parts/depth.rs", "the figures of the queue"),
    ("parts/device_lists.rs", "the pages of people"),
    ("parts/forget.rs", "the keeper"),
    ("parts/history.rs", "the pages of people"),
    ("OF_RUN in parts/judgements.rs", "the pages of people"),
    ("parts/kernel_sets.rs", "jobs that name the kernels of a workflow"),
    ("OF_RUN in parts/left_out.rs", "the pages of people"),
    ("DIFFERENCES in parts/left_out.rs", "the pages of people"),
    ("parts/logged.rs", "the pages of people"),
    ("parts/lookback.rs", "the pages of people"),
    ("parts/marks.rs", "the pages of people"),
    ("parts/pause.rs", "the pages of people"),
    ("parts/run_ends.rs", "ends of runs, and the keeper"),
    ("parts/run_lists.rs", "the pages of people"),
    ("parts/runs.rs", "starts and ends of runs, and the pages of people"),
    ("parts/project_files.rs", "uploads"),
    ("USED in parts/usage.rs", "admissions, and the pages of people"),
    ("parts/timeline.rs", "the pages of people"),
    ("parts/suspensions.rs", "the pages of people, and the start of a server"),
    ("parts/versions.rs", "the pages of people"),
    ("parts/waits.rs", "the pages of people"),
    ("parts/workers.rs", "the pages of people, and what is written once a minute"),
    ("parts/workflow_names.rs", "uploads, and the pages of people"),
    ("parts/blobs.rs", "uploads, and what is fetched"),
    ("parts/workflows.rs", "uploads, and the pages of people"),
    ("sqlite/backup.rs", "backups"),
    ("sqlite/open.rs", "the start of a server"),
];

/// Words that statements begin with.
const VERBS: [&str; 5] = ["select", "insert", "update", "delete", "with"];

/// A statement as it is written, with gaps where the compiler puts numbers and names.
pub(crate) struct Stated {
    /// File and constant.
    pub(crate) place: String,
    text: String,
}

impl Stated {
    pub(crate) fn is(&self, heard: &str) -> bool {
        let pieces: Vec<&str> = self.text.split(['{', '}']).step_by(2).collect();
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return false };
        let mut rest = heard;
        let in_order = pieces.iter().all(|piece| match rest.split_once(piece) {
            Some((_, behind)) => {
                rest = behind;
                true
            }
            None => false,
        });
        in_order && heard.starts_with(first) && heard.ends_with(last)
    }
}

/// All that a batch may run on this kind of database.
pub(crate) fn stated(kind: Kind) -> Vec<Stated> {
    let own = if kind == Kind::Sqlite { "sqlite" } else { "mysql" };
    let mut all = stated_in(&["parts", own], kind);
    all.retain(|stated| !OF_NO_BATCH.iter().any(|(place, _)| stated.place.ends_with(place)));
    all
}

/// All that stands in these folders for this kind of database.
pub(crate) fn stated_in(folders: &[&str], kind: Kind) -> Vec<Stated> {
    let mut all = Vec::new();
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let text = std::fs::read_to_string(source().join(&file)).unwrap();
        let text: String = text.lines().take_while(|line| *line != "#[cfg(test)]").map(code).collect();
        all.extend(statements(&file, &text, kind));
    }
    all
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Paths below the source's folder; not those of folders in it.
fn files(folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(source().join(folder)).unwrap().map(Result::unwrap);
    let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
    files.map(|entry| format!("{folder}/{}", entry.file_name().to_str().unwrap())).collect()
}

/// A line without what is said about it.
fn code(line: &str) -> String {
    if line.trim_start().starts_with("//") { String::new() } else { format!("{line}\n") }
}

/// Every second part between quotes is a literal; what stands before it says for which database. No statement has a quote
/// of this kind in it.
fn statements(file: &str, text: &str, kind: Kind) -> Vec<Stated> {
    let parts: Vec<&str> = text.split('"').collect();
    let (mut found, mut name) = (Vec::new(), "");
    for pair in parts.chunks_exact(2) {
        let [before, literal] = pair else { continue };
        if let Some((_, rest)) = before.rsplit_once("const ") {
            name = rest.split(':').next().unwrap();
        }
        let others = if kind == Kind::Sqlite { "mysql:" } else { "sqlite:" };
        let literal = literal.trim();
        let is_statement = literal.starts_with('{')
            || VERBS.contains(&literal.split_whitespace().next().unwrap_or_default());
        if is_statement && !before.contains(others) {
            found.push(Stated { place: format!("{name} in {file}"), text: literal.to_owned() });
        }
    }
    found
}
