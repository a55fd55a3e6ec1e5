//! Where things lie in the repository and what lies on the search path.
//! It never creates or changes a file.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).ancestors().nth(2).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Cargo's target folder, absolute.
pub(crate) fn target() -> PathBuf {
    let chosen = env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root().join(chosen)
}

/// The server's binary of a profile (`debug`, `demo` or `release`), absolute.
pub(crate) fn weevil(profile: &str) -> PathBuf {
    target().join(profile).join("weevil")
}

/// The first executable called `name` on the search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    find_in(&env::var_os("PATH").unwrap_or_default(), name)
}

/// The first executable called `name` in the folders of `search_path`.
pub(crate) fn find_in(search_path: &OsStr, name: &str) -> Option<PathBuf> {
    env::split_paths(search_path).map(|folder| folder.join(name)).find(|path| is_executable(path))
}

/// The search path with the folders `first` in front.
pub(crate) fn search_path(first: impl IntoIterator<Item = PathBuf>) -> OsString {
    let inherited = env::var_os("PATH").unwrap_or_default();
    let folders = first.into_iter().chain(env::split_paths(&inherited));
    env::join_paths(folders).unwrap_or(inherited.clone())
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("crates/xtask/Cargo.toml").is_file());
    }

    #[test]
    fn finds_executables_only() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        fs::write(&tool, "").unwrap();
        assert_eq!(find_in(folder.path().as_os_str(), "tool"), None);
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find_in(folder.path().as_os_str(), "tool"), Some(tool));
    }
}
