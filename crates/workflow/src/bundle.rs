//! The files of one workflow: which of them is the document, and which one a `src` means.
//!
//! Never reads files: whoever does hands in names and bytes, and gets names that are safe to write back.

use std::collections::{BTreeMap, HashMap};

use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_model::{ContentHash, JobType};

use crate::limits::MAX_FILE_NAME_BYTES;
use crate::zip::{self, ZipError};

/// The name that makes a file the document whatever else is there.
const DOCUMENT: &str = "workflow.xml";

/// One workflow as uploaded: paths relative to its folder, and bytes. Within the limits of `weevil_model::limits`.
#[derive(Debug, Clone)]
pub struct Bundle {
    files: BTreeMap<String, Vec<u8>>,
    document: String,
}

/// Why files are not a workflow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    #[error("no workflow document: `workflow.xml` or one other .xml file is expected at the top")]
    NoDocument,
    #[error("which one is the workflow document? name it `workflow.xml`, or leave one of {}", .0.join(", "))]
    SeveralDocuments(Vec<String>),
    #[error("{found} files; at most {max} are allowed in one workflow")]
    TooManyFiles { found: usize, max: usize },
    #[error("{found} bytes in all; at most {max} are allowed in one workflow")]
    TooLarge { found: usize, max: usize },
    #[error("the file name `{path}` is refused: {why}")]
    BadPath { path: String, why: &'static str },
    #[error("`{one}` and `{other}` differ only in case, which many disks cannot keep apart; rename one")]
    SameName { one: String, other: String },
    #[error(transparent)]
    Zip(#[from] ZipError),
}

/// What a `src` attribute is looked up as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceKind {
    JavaScript,
    Wasm,
    /// JavaScript with kernels, or a kernel by itself.
    WebCl,
    Value,
}

impl SourceKind {
    /// The code of such a job.
    pub const fn of(job_type: JobType) -> Self {
        match job_type {
            JobType::JavaScript => Self::JavaScript,
            JobType::WebCl => Self::WebCl,
            JobType::Wasm => Self::Wasm,
        }
    }

    const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::JavaScript => &[".js"],
            Self::Wasm => &[".wasm"],
            Self::WebCl => &[".js", ".wgsl"],
            Self::Value => &[".json"],
        }
    }

    /// The paths that `src` may mean, in the order they are tried.
    pub fn candidates(self, src: &str) -> impl Iterator<Item = String> {
        let with_extension = self.extensions().iter().map(move |extension| format!("{src}{extension}"));
        std::iter::once(src.to_owned()).chain(with_extension)
    }
}

impl Bundle {
    /// Takes the files after checking names, number and size, and finds the document among them.
    pub fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, BundleError> {
        if files.len() > MAX_BUNDLE_FILES {
            return Err(BundleError::TooManyFiles { found: files.len(), max: MAX_BUNDLE_FILES });
        }
        let found: usize = files.values().map(Vec::len).sum();
        if found > MAX_BUNDLE_BYTES {
            return Err(BundleError::TooLarge { found, max: MAX_BUNDLE_BYTES });
        }
        files.keys().try_for_each(|path| check_path(path))?;
        check_case(files.keys())?;
        let document = find_document(&files)?;
        Ok(Self { files, document })
    }

    /// Takes the files of a zip archive, within the same limits. Costs memory and time for what is kept, never for
    /// what the archive promises. A folder that holds everything is taken for the archive's root.
    pub fn from_zip(bytes: &[u8]) -> Result<Self, BundleError> {
        Self::new(zip::files(bytes)?)
    }

    /// A workflow that is its document alone.
    pub fn single(document_name: &str, bytes: Vec<u8>) -> Result<Self, BundleError> {
        Self::new(BTreeMap::from([(document_name.to_owned(), bytes)]))
    }

    /// All files by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// The path of the workflow document.
    pub fn document_path(&self) -> &str {
        &self.document
    }

    /// The bytes of the workflow document.
    pub fn document(&self) -> &[u8] {
        self.files.get(&self.document).map_or(&[], Vec::as_slice)
    }

    /// The name of this workflow among all: depends on every path and byte, not on the order of upload.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of_parts(self.files())
    }

    /// The file that `src` names: the exact path first, else with the extension of its kind.
    pub fn resolve(&self, src: &str, kind: SourceKind) -> Option<(&str, &[u8])> {
        kind.candidates(src)
            .find_map(|path| self.files.get_key_value(&path))
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }
}

/// Refuses a path that could lead out of the folder it is written into, on any system.
pub(crate) fn check_path(path: &str) -> Result<(), BundleError> {
    let shown = || path.chars().take(MAX_FILE_NAME_BYTES).collect();
    refusal(path).map_or(Ok(()), |why| Err(BundleError::BadPath { path: shown(), why }))
}

fn check_case<'p>(paths: impl Iterator<Item = &'p String>) -> Result<(), BundleError> {
    let mut seen: HashMap<String, &str> = HashMap::new();
    for path in paths {
        if let Some(one) = seen.insert(path.to_lowercase(), path) {
            return Err(BundleError::SameName { one: one.to_owned(), other: path.clone() });
        }
    }
    Ok(())
}

fn refusal(path: &str) -> Option<&'static str> {
    if path.len() > MAX_FILE_NAME_BYTES {
        return Some("it is too long");
    }
    if path.starts_with('/') {
        return Some("it is absolute");
    }
    if matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Some("it begins with a drive letter");
    }
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Some("it has a backslash or a control character");
    }
    path.split('/').find_map(|segment| match segment {
        "" => Some("it has an empty part"),
        "." | ".." => Some("it has a part `.` or `..`"),
        _ => None,
    })
}

fn find_document(files: &BTreeMap<String, Vec<u8>>) -> Result<String, BundleError> {
    if files.contains_key(DOCUMENT) {
        return Ok(DOCUMENT.to_owned());
    }
    let is_xml = |(_, extension): (&str, &str)| extension.eq_ignore_ascii_case("xml");
    let top_xml = |path: &&String| path.rsplit_once('.').is_some_and(is_xml) && !path.contains('/');
    let mut found: Vec<String> = files.keys().filter(top_xml).cloned().collect();
    match found.len() {
        0 => Err(BundleError::NoDocument),
        1 => Ok(found.remove(0)),
        _ => Err(BundleError::SeveralDocuments(found)),
    }
}
