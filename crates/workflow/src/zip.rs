//! A zip archive to the files of a bundle. The archive's central directory counts; what lies beside it is not looked at.
//!
//! Strangers make archives: entries are read one by one, and bytes are counted as they come out, whatever headers
//! promise. Never writes a file, and never decides what the files mean.

use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read as _};

use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use zip::CompressionMethod;
use zip::read::{Config, ZipFileEntry, ZipReadOptions};
use zip::unstable::read::ZipIterable;

use crate::bundle::{BundleError, check_path};
use crate::limits::{MAX_FILE_NAME_BYTES, MAX_ZIP_ENTRIES};

/// What an archive begins with: its first entry, or its end where it has none.
const SIGNATURES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];
/// What macOS adds to an archive beside what was asked for.
const MAC_FOLDER: &str = "__MACOSX";
const MAC_FILE: &str = ".DS_Store";

/// Why a zip archive gives no files.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ZipError {
    #[error("the zip cannot be read: {0}; perhaps it was cut short on its way: make it again")]
    Unreadable(String),
    #[error("{found} entries in the zip; at most {max} are read: zip the workflow's folder and nothing else")]
    TooManyEntries { found: usize, max: usize },
    #[error("the zip unpacks to more than {max} bytes; leave out what the workflow does not name")]
    UnpacksTooLarge { max: usize },
    #[error("`{path}` in the zip is refused: {problem}")]
    Entry { path: String, problem: EntryProblem },
}

/// Why one entry of an archive is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryProblem {
    #[error("it is encrypted; make the zip without a password")]
    Encrypted,
    #[error("it is a symbolic link; put the file that it leads to in its place")]
    Symlink,
    #[error("it is compressed by {0}; make the zip with Deflate, the usual method")]
    Compression(String),
    #[error("its name is not UTF-8; rename it with letters of the English alphabet")]
    Name,
    #[error("it is there twice; delete one of the two")]
    Repeated,
    #[error("its bytes are damaged ({0}); make the zip again")]
    Damaged(String),
    #[error("{promised} bytes are promised, but it has {found}; make the zip again")]
    WrongSize { promised: u64, found: usize },
}

/// Whether the bytes begin as a zip archive does.
pub fn is_zip(bytes: &[u8]) -> bool {
    SIGNATURES.iter().any(|signature| bytes.starts_with(signature))
}

/// A file of the archive that is not yet unpacked.
struct Packed {
    path: String,
    entry: ZipFileEntry<'static>,
}

/// The files by path, relative to the folder that holds all of them, if there is one.
pub(crate) fn files(bytes: &[u8]) -> Result<BTreeMap<String, Vec<u8>>, BundleError> {
    if bytes.len() > MAX_BUNDLE_BYTES {
        return Err(BundleError::TooLarge { found: bytes.len(), max: MAX_BUNDLE_BYTES });
    }
    let packed = entries(bytes)?;
    if packed.len() > MAX_BUNDLE_FILES {
        return Err(BundleError::TooManyFiles { found: packed.len(), max: MAX_BUNDLE_FILES });
    }
    let root = top_folder(&packed).map_or(0, |folder| folder.len() + "/".len());
    let mut files = BTreeMap::new();
    let mut left = MAX_BUNDLE_BYTES;
    for Packed { path, entry } in packed {
        let name = path[root..].to_owned();
        let unpacked = unpack(bytes, entry, left).map_err(|problem| refused(&path, problem))?;
        let unpacked = unpacked.ok_or(ZipError::UnpacksTooLarge { max: MAX_BUNDLE_BYTES })?;
        left -= unpacked.len();
        files.insert(name, unpacked);
    }
    Ok(files)
}

/// The archive's files, each with a sound and unique path, none of them unpacked.
fn entries(bytes: &[u8]) -> Result<Vec<Packed>, BundleError> {
    let unreadable = |problem: zip::result::ZipError| ZipError::Unreadable(problem.to_string());
    let mut archive = ZipIterable::try_new(Cursor::new(bytes), Config::default()).map_err(unreadable)?;
    if archive.len() > MAX_ZIP_ENTRIES {
        return Err(ZipError::TooManyEntries { found: archive.len(), max: MAX_ZIP_ENTRIES }.into());
    }
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    for entry in archive.files().map_err(unreadable)? {
        let Some(file) = file(entry.map_err(unreadable)?)? else { continue };
        if !seen.insert(file.path.clone()) {
            return Err(refused(&file.path, EntryProblem::Repeated).into());
        }
        files.push(file);
    }
    Ok(files)
}

/// The entry with its path; `None` for a folder and for what macOS adds.
fn file(entry: ZipFileEntry<'static>) -> Result<Option<Packed>, BundleError> {
    let Ok(path) = std::str::from_utf8(entry.name_raw()).map(str::to_owned) else {
        let shown = String::from_utf8_lossy(entry.name_raw()).into_owned();
        return Err(refused(&shown, EntryProblem::Name).into());
    };
    let of_mac = path.split('/').next() == Some(MAC_FOLDER) || path.rsplit('/').next() == Some(MAC_FILE);
    if of_mac || path.ends_with('/') {
        return Ok(None);
    }
    check_path(&path)?;
    match problem_of(&entry) {
        Some(problem) => Err(refused(&path, problem).into()),
        None => Ok(Some(Packed { path, entry })),
    }
}

fn problem_of(entry: &ZipFileEntry<'_>) -> Option<EntryProblem> {
    if entry.encrypted() {
        return Some(EntryProblem::Encrypted);
    }
    if entry.is_symlink() {
        return Some(EntryProblem::Symlink);
    }
    match entry.compression() {
        CompressionMethod::Stored | CompressionMethod::Deflated => None,
        other => Some(EntryProblem::Compression(other.to_string())),
    }
}

/// The folder that every file lies in.
fn top_folder(files: &[Packed]) -> Option<&str> {
    let mut folders = files.iter().map(|file| file.path.split_once('/').map(|(folder, _)| folder));
    let first = folders.next()??;
    folders.all(|folder| folder == Some(first)).then_some(first)
}

/// The entry's bytes; `None` when there are more than `max`.
fn unpack(archive: &[u8], entry: ZipFileEntry<'_>, max: usize) -> Result<Option<Vec<u8>>, EntryProblem> {
    let promised = entry.size();
    let mut archive = Cursor::new(archive);
    let reader = entry.with_reader(&mut archive, ZipReadOptions::new());
    let reader = reader.map_err(|problem| EntryProblem::Damaged(problem.to_string()))?;
    let mut bytes = Vec::new();
    let read = reader.take(max as u64 + 1).read_to_end(&mut bytes);
    if bytes.len() > max {
        return Ok(None);
    }
    read.map_err(|problem| EntryProblem::Damaged(problem.to_string()))?;
    if bytes.len() as u64 != promised {
        return Err(EntryProblem::WrongSize { promised, found: bytes.len() });
    }
    Ok(Some(bytes))
}

fn refused(path: &str, problem: EntryProblem) -> ZipError {
    ZipError::Entry { path: path.chars().take(MAX_FILE_NAME_BYTES).collect(), problem }
}
