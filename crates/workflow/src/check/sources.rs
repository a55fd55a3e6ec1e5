//! What values and code are made of: literals and the files that `src` names. Each file is read and reported once.

use std::collections::HashMap;

use weevil_model::{ContentHash, DataType, Encoded, JobType, Value};

use super::{json, literals};
use crate::bundle::{Bundle, SourceKind};
use crate::codes;
use crate::document::Attribute;
use crate::findings::{Findings, quoted};
use crate::places::Places;

/// The function that a job's source must define.
const ENTRY: &str = "weevil_main";

pub(super) struct Sources<'d> {
    bundle: &'d Bundle,
    /// By path; none for a file with a problem.
    codes: HashMap<&'d str, Option<ContentHash>>,
    /// By path and type.
    values: HashMap<(&'d str, DataType), Result<Encoded, Unfit>>,
}

/// Why a file gives no value.
#[derive(Debug, Clone)]
enum Unfit {
    /// The file's own problem, which is reported.
    Reported,
    /// It holds this instead, which is for every node that names it to hear.
    Holds(String),
}

impl<'d> Sources<'d> {
    pub(super) fn new(bundle: &'d Bundle) -> Self {
        Self { bundle, codes: HashMap::new(), values: HashMap::new() }
    }

    fn find(
        &self,
        src: &Attribute<'_>,
        kind: SourceKind,
        findings: &mut Findings<'_>,
    ) -> Option<(&'d str, &'d [u8])> {
        let found = self.bundle.resolve(src.word(), kind);
        if found.is_none() {
            let tried: Vec<_> = kind.candidates(src.word()).map(|path| quoted(&path)).collect();
            let message =
                format!("no file {} in the workflow; looked for {}", quoted(src.word()), tried.join(", "));
            let help =
                findings.did_you_mean(src.word(), self.bundle.files().flat_map(|(path, _)| names(path)));
            findings.report(&codes::MISSING_SOURCE, src.value_at, message, help);
        }
        found
    }

    /// The value in the JSON file that `src` names.
    pub(super) fn value(
        &mut self,
        src: &Attribute<'_>,
        data_type: DataType,
        findings: &mut Findings<'_>,
    ) -> Option<Encoded> {
        let (path, bytes) = self.find(src, SourceKind::Value, findings)?;
        let read = || value_file(path, bytes, src, data_type, findings);
        let value = self.values.entry((path, data_type)).or_insert_with(read).clone();
        if let Err(Unfit::Holds(found)) = &value {
            let message = format!("{} is not of type {data_type}: {found}", quoted(path));
            let help = Some("change the file or the node's `returntype`".to_owned());
            findings.report(&codes::VALUE_TYPE, src.value_at, message, help);
        }
        value.ok()
    }

    /// Path and hash of the code that `src` names.
    pub(super) fn code(
        &mut self,
        src: &Attribute<'_>,
        job_type: JobType,
        findings: &mut Findings<'_>,
    ) -> Option<(&'d str, ContentHash)> {
        let kind = if job_type == JobType::Wasm { SourceKind::Wasm } else { SourceKind::JavaScript };
        let (path, bytes) = self.find(src, kind, findings)?;
        let read = || {
            let sound = kind == SourceKind::Wasm || has_entry(path, bytes, src, findings);
            sound.then(|| ContentHash::of(bytes))
        };
        self.codes.entry(path).or_insert_with(read).map(|hash| (path, hash))
    }
}

/// The value of a `value` attribute.
pub(super) fn literal(
    attribute: &Attribute<'_>,
    data_type: DataType,
    findings: &mut Findings<'_>,
) -> Option<Encoded> {
    match literals::parse(&attribute.value, data_type) {
        Ok(value) => encode(&value, attribute, findings),
        Err(problem) => {
            let at = attribute.offset(problem.offset);
            let message = format!("the value is not of type {data_type}: {}", problem.message);
            findings.report(&codes::BAD_LITERAL, at, message, problem.help);
            None
        }
    }
}

/// What an author may have meant by a path: all of it, or the part before the extension.
fn names(path: &str) -> impl Iterator<Item = &str> {
    let stem = path.rsplit_once('.').map(|(stem, _)| stem).filter(|stem| !stem.is_empty());
    std::iter::once(path).chain(stem)
}

fn encode(value: &Value, attribute: &Attribute<'_>, findings: &mut Findings<'_>) -> Option<Encoded> {
    let encoded = Encoded::of(value);
    if let Err(problem) = &encoded {
        findings.report(&codes::VALUE_TOO_LARGE, attribute.value_at, problem.to_string(), None);
    }
    encoded.ok()
}

fn utf8<'d>(path: &str, bytes: &'d [u8], findings: &mut Findings<'_>) -> Option<&'d str> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .inspect_err(|problem| {
            let valid = std::str::from_utf8(&bytes[..problem.valid_up_to()]).unwrap_or_default();
            let message = format!("the byte 0x{:02x} is not UTF-8, which is expected", bytes[valid.len()]);
            findings.report_in(&codes::SOURCE_NOT_UTF8, path, Places::new(valid).place(valid.len()), message);
        })
        .ok()
}

fn value_file(
    path: &str,
    bytes: &[u8],
    src: &Attribute<'_>,
    data_type: DataType,
    findings: &mut Findings<'_>,
) -> Result<Encoded, Unfit> {
    let value = json::read(bytes, data_type).map_err(|unfit| {
        let (code, place, message) = match unfit {
            json::Unfit::Holds(found) => return Unfit::Holds(found),
            json::Unfit::NotUtf8(place, message) => (&codes::SOURCE_NOT_UTF8, place, message),
            json::Unfit::NotJson(place, message) => (&codes::BAD_JSON, place, message),
        };
        findings.report_in(code, path, place, message);
        Unfit::Reported
    })?;
    encode(&value, src, findings).ok_or(Unfit::Reported)
}

fn has_entry(path: &str, bytes: &[u8], src: &Attribute<'_>, findings: &mut Findings<'_>) -> bool {
    let Some(text) = utf8(path, bytes, findings) else { return false };
    let part_of_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let stands_alone = text.match_indices(ENTRY).any(|(at, _)| {
        !text[..at].ends_with(part_of_name) && !text[at + ENTRY.len()..].starts_with(part_of_name)
    });
    if !stands_alone {
        let message = format!("{} does not define `{ENTRY}`, which a worker would call", quoted(path));
        let help = Some(format!("name the job's function: `function {ENTRY}(..) {{ .. }}`"));
        findings.report(&codes::NO_WEEVIL_MAIN, src.value_at, message, help);
    }
    stands_alone
}
