//! What a path on the command line means: a workflow's folder, its document together with its folder, or a zip.
//!
//! Owns the reading from disk, within the limits of an upload. Never judges what the files say.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_workflow::Bundle;

/// What a workflow is called whose place has no name in UTF-8.
const NAMELESS: &str = "workflow";

/// A workflow's files as they lie on disk.
#[derive(Debug, Default)]
pub(crate) struct OnDisk {
    /// The folder's or zip's own name.
    pub(crate) name: String,
    /// The folder or zip as seen from where the user stands.
    folder: PathBuf,
    /// By path relative to the folder.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl OnDisk {
    /// A folder with everything in it, a document together with its folder, or what a zip holds.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let found =
            path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        if found.is_dir() {
            return Self::folder(&found, path);
        }
        if has_ending(&found, "zip") {
            return Self::zip(&found, path);
        }
        if !is_document(&found) {
            let path = path.display();
            return Err(format!(
                "cannot read {path}: a workflow's folder, its .xml document or a .zip is expected"
            ));
        }
        let inside = found.parent().unwrap_or(&found);
        let document = found.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let mut read = Self::folder(inside, path.parent().unwrap_or(path))?;
        // Other documents of the folder would make it unclear which one is meant.
        read.files.retain(|path, _| path == document || path.contains('/') || !is_document(Path::new(path)));
        Ok(read)
    }

    fn folder(folder: &Path, shown: &Path) -> Result<Self, String> {
        let mut files = BTreeMap::new();
        collect(folder, "", &mut files)?;
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or(NAMELESS).to_owned();
        Ok(Self { name, folder: shown.to_owned(), files })
    }

    fn zip(found: &Path, shown: &Path) -> Result<Self, String> {
        let fail = |error: &dyn Display| format!("cannot read {}: {error}", shown.display());
        if fs::metadata(found).map_err(|error| fail(&error))?.len() > MAX_BUNDLE_BYTES as u64 {
            return Err(fail(&format!("more than {MAX_BUNDLE_BYTES} bytes")));
        }
        let bytes = fs::read(found).map_err(|error| fail(&error))?;
        let bundle = Bundle::from_zip(&bytes).map_err(|error| fail(&error))?;
        let files = bundle.files().map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect();
        let name = found.file_stem().and_then(|stem| stem.to_str()).unwrap_or(NAMELESS).to_owned();
        Ok(Self { name, folder: shown.to_owned(), files })
    }

    /// A file as the user would name it, so that an editor can open it.
    pub(crate) fn shown(&self, file: &str) -> String {
        let path = self.folder.join(file);
        path.strip_prefix(".").unwrap_or(&path).display().to_string()
    }

    /// A file's text, where it is one.
    pub(crate) fn text(&self, file: &str) -> Option<&str> {
        self.files.get(file).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }
}

fn is_document(path: &Path) -> bool {
    has_ending(path, "xml")
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name =
            entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let kind = entry.file_type().map_err(fail)?;
        let path = format!("{prefix}{name}");
        // Hidden files and links are the author's own business.
        if name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, fs::read(entry.path()).map_err(fail)?);
        }
        bounded(files)?;
    }
    Ok(())
}

fn bounded(files: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let bytes: usize = files.values().map(Vec::len).sum();
    if files.len() > MAX_BUNDLE_FILES || bytes > MAX_BUNDLE_BYTES {
        let most = format!("at most {MAX_BUNDLE_FILES} files and {MAX_BUNDLE_BYTES} bytes");
        return Err(format!(
            "the folder is no workflow: {most} are allowed; name the folder of one workflow"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_brings_its_folder_but_no_other_document() {
        let folder = tempfile::TempDir::new().unwrap();
        let write = |path: &str| fs::write(folder.path().join(path), path).unwrap();
        fs::create_dir(folder.path().join("lib")).unwrap();
        for path in ["one.xml", "two.xml", "Add.js", ".hidden", "lib/Sub.js"] {
            write(path);
        }
        let paths = |path: &Path| OnDisk::read(path).unwrap().files.into_keys().collect::<Vec<_>>();
        assert_eq!(paths(&folder.path().join("one.xml")), ["Add.js", "lib/Sub.js", "one.xml"]);
        assert_eq!(paths(folder.path()), ["Add.js", "lib/Sub.js", "one.xml", "two.xml"]);
        assert!(OnDisk::read(Path::new("/no/such/place")).is_err());
        assert!(OnDisk::read(&folder.path().join("Add.js")).is_err());
    }

    #[test]
    fn files_are_shown_as_the_user_would_name_them() {
        for (folder, file, shown) in [
            ("", "workflow.xml", "workflow.xml"),
            (".", "workflow.xml", "workflow.xml"),
            ("./flows/pi", "lib/a.js", "flows/pi/lib/a.js"),
            ("../pi", "workflow.xml", "../pi/workflow.xml"),
            ("/data/pi", "workflow.xml", "/data/pi/workflow.xml"),
        ] {
            let read = OnDisk { name: String::new(), folder: folder.into(), files: BTreeMap::new() };
            assert_eq!(read.shown(file), shown, "{folder:?}");
        }
    }
}
