//! What values and code are made of: literals and the files that `src` names. Each file is read and reported once.

use std::collections::HashMap;
use std::sync::Arc;

use weevil_model::{ContentHash, DataType, Encoded, JobType, Value, is_kernel_file};

use super::code::{Code, Main};
use super::{json, kernel_job, literals, module};
use crate::bundle::{Bundle, SourceKind};
use crate::codes;
use crate::document::Attribute;
use crate::findings::{Findings, OtherFile, quoted};
use crate::kernel::Kernels;
use crate::parse::decode;
use crate::wasm::Question;

const SAVE_AS_UTF8: &str = "save the file as UTF-8";
const PLAIN_JSON: &str = "JSON has straight double quotes, no comments and no comma behind the last element";

pub(super) struct Sources<'d, 'c> {
    bundle: &'d Bundle,
    pub(super) kernels: Kernels<'d, 'c>,
    /// By path and what it is read as, with the path that all its nodes share; `None` for a file with a problem.
    codes: HashMap<(&'d str, Form), Known>,
    /// By path and type.
    values: HashMap<(&'d str, DataType), Result<Encoded, Unfit>>,
    /// By path and what it is asked; `None` for a file with a problem.
    rulings: HashMap<(&'d str, Question), Option<ContentHash>>,
}

type Known = Option<(Arc<str>, Code)>;

/// What a file of code is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Form {
    Script,
    Module,
    Kernel,
}

impl Form {
    fn of(job_type: JobType, path: &str) -> Self {
        match job_type {
            JobType::Wasm => Self::Module,
            JobType::WebCl if is_kernel_file(path) => Self::Kernel,
            JobType::WebCl | JobType::JavaScript => Self::Script,
        }
    }
}

/// Why a file gives no value.
#[derive(Debug, Clone)]
enum Unfit {
    /// The file's own problem, which is reported.
    Reported,
    /// It holds this instead, which is for every node that names it to hear.
    Holds(String),
}

impl<'d, 'c> Sources<'d, 'c> {
    pub(super) fn new(bundle: &'d Bundle, kernels: Kernels<'d, 'c>) -> Self {
        Self { bundle, kernels, codes: HashMap::new(), values: HashMap::new(), rulings: HashMap::new() }
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
            let meant =
                findings.did_you_mean(src.word(), self.bundle.files().flat_map(|(path, _)| names(path)));
            let help = meant.unwrap_or_else(|| format!("add the file, or correct `{}`", src.name));
            findings.report(&codes::MISSING_SOURCE, src.value_at.clone(), message, Some(help));
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
            findings.report(&codes::VALUE_TYPE, src.value_at.clone(), message, help);
        }
        value.ok()
    }

    /// The code that `src` names, and its path.
    pub(super) fn code(
        &mut self,
        src: &Attribute<'_>,
        job_type: JobType,
        findings: &mut Findings<'_>,
    ) -> Option<(Arc<str>, &Code)> {
        let (path, bytes) = self.find(src, SourceKind::of(job_type), findings)?;
        let form = Form::of(job_type, path);
        let kernels = &mut self.kernels;
        let mut read = || match form {
            Form::Script => script(path, bytes, src, findings),
            Form::Module => module::read(path, bytes, src, findings).map(|module| {
                // It has nothing that differs from run to run.
                Code { repeatable: true, main: Some(Main::Module(module)), ..Code::unread(bytes) }
            }),
            Form::Kernel => {
                let main = kernel_job::read(path, bytes, kernels, findings).map(Main::Kernel);
                Some(Code { main, ..Code::unread(bytes) })
            }
        };
        let known = self.codes.entry((path, form)).or_insert_with(|| read().map(|code| (path.into(), code)));
        known.as_ref().map(|(path, code)| (path.clone(), code))
    }

    /// The module that an attribute names to be asked about values, by its hash.
    pub(super) fn ruling(
        &mut self,
        named: &Attribute<'_>,
        question: Question,
        findings: &mut Findings<'_>,
    ) -> Option<ContentHash> {
        let (path, bytes) = self.find(named, SourceKind::Wasm, findings)?;
        let read = || module::read_ruling(path, bytes, question, named, findings);
        *self.rulings.entry((path, question)).or_insert_with(read)
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
            let all = || attribute.value_at.clone();
            let at = problem.offset.map_or_else(all, |offset| attribute.letter_at(offset));
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
        let help = Some("split it, or let a job make it".to_owned());
        findings.report(&codes::VALUE_TOO_LARGE, attribute.value_at.clone(), problem.to_string(), help);
    }
    encoded.ok()
}

fn script(path: &str, bytes: &[u8], src: &Attribute<'_>, findings: &mut Findings<'_>) -> Option<Code> {
    let text = utf8(path, bytes, findings)?;
    Code::read(&OtherFile::new(path, text), text, bytes, src, findings)
}

fn utf8<'d>(path: &str, bytes: &'d [u8], findings: &mut Findings<'_>) -> Option<&'d str> {
    let (text, undecodable) = decode(bytes);
    let Some(message) = undecodable else { return Some(text) };
    let end = text.len()..text.len();
    let help = Some(SAVE_AS_UTF8.to_owned());
    findings.report_in(&codes::SOURCE_NOT_UTF8, &OtherFile::new(path, text), end, message, help);
    None
}

fn value_file(
    path: &str,
    bytes: &[u8],
    src: &Attribute<'_>,
    data_type: DataType,
    findings: &mut Findings<'_>,
) -> Result<Encoded, Unfit> {
    let value = json::read(bytes, data_type).map_err(|unfit| {
        let (code, at, message, help) = match unfit {
            json::Unfit::Holds(found) => return Unfit::Holds(found),
            json::Unfit::NotUtf8(at, message) => (&codes::SOURCE_NOT_UTF8, at, message, SAVE_AS_UTF8),
            json::Unfit::NotJson(at, message) => (&codes::BAD_JSON, at, message, PLAIN_JSON),
        };
        let file = OtherFile::new(path, decode(bytes).0);
        findings.report_in(code, &file, file.letter(at), message, Some(help.to_owned()));
        Unfit::Reported
    })?;
    encode(&value, src, findings).ok_or(Unfit::Reported)
}
