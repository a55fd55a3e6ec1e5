//! When files have changed: their times and sizes, looked at again and again.

use std::fs::read_dir;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use weevil_model::limits::MAX_BUNDLE_FILES;

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(500);

/// What one look saw, in an order of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen(Vec<(PathBuf, Option<SystemTime>, u64)>);

impl Seen {
    /// All files of a folder, or those beside a file; hidden ones are the author's own business.
    pub(super) fn at(path: &Path) -> Self {
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut seen = Vec::new();
        collect(folder, &mut seen);
        seen.sort();
        Self(seen)
    }

    /// Waits until a look sees something else, as long as `goes_on` has no reason to give up.
    ///
    /// # Errors
    /// That reason.
    pub(super) fn await_change(
        &self,
        path: &Path,
        goes_on: impl Fn() -> Result<(), String>,
    ) -> Result<Self, String> {
        loop {
            sleep(PAUSE);
            let now = Self::at(path);
            if now != *self {
                return Ok(now);
            }
            goes_on()?;
        }
    }
}

fn collect(folder: &Path, seen: &mut Vec<(PathBuf, Option<SystemTime>, u64)>) {
    for entry in read_dir(folder).into_iter().flatten().flatten() {
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(data) = entry.metadata() else { continue };
        if hidden || data.is_symlink() || seen.len() >= MAX_BUNDLE_FILES {
            continue;
        }
        if data.is_dir() {
            collect(&entry.path(), seen);
        } else {
            seen.push((entry.path(), data.modified().ok(), data.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn whatever_changes_is_seen_and_nothing_else() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("lib")).unwrap();
        fs::write(at("workflow.xml"), "a").unwrap();
        let look = || Seen::at(&at("workflow.xml"));
        let mut before = look();
        assert_eq!(before, Seen::at(folder.path()), "a document is watched with its folder");
        for (name, text, changes) in [
            ("workflow.xml", Some("ab"), true),
            ("lib/a.js", Some("x"), true),
            (".hidden", Some("x"), false),
            ("lib/a.js", None, true),
        ] {
            match text {
                Some(text) => fs::write(at(name), text).unwrap(),
                None => fs::remove_file(at(name)).unwrap(),
            }
            let now = look();
            assert_eq!(now != before, changes, "{name}");
            before = now;
        }
    }
}
