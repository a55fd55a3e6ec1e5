//! What an upload holds: the files of a workflow, and what a run of it is asked for.
//!
//! Knows names and numbers of parts; how they arrive is `body`'s, what they mean for the workflow is `check`'s.

use std::collections::BTreeMap;

use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_model::trust::{Policy, PolicyError};
use weevil_model::{ContentHash, Reuse};

use crate::refusal::Refusal;

/// Characters kept of a workflow's name.
const MAX_NAME_CHARS: usize = 100;
/// Value nodes that one run may replace.
const MAX_INPUTS: usize = 1000;

/// Parts of a form and parameters of the address are the same to it.
#[derive(Debug, Default)]
pub(super) struct Upload {
    /// `name`: what people call the workflow.
    pub name: Option<String>,
    /// `project`: into which it is put.
    pub project: Option<String>,
    /// `reuse`: which stored results the run may take.
    pub reuse: Option<Reuse>,
    /// `trust`: from which answers on values are believed, whatever the workflow says.
    pub trust: Option<Policy>,
    /// `workflow`: one that is stored already, instead of files.
    pub workflow: Option<ContentHash>,
    /// `example`: one that the server brings along, instead of files.
    pub example: Option<String>,
    /// `file`, by its filename.
    pub files: BTreeMap<String, Vec<u8>>,
    /// `set` and `setFile`, by the id of the value node that they replace.
    pub inputs: BTreeMap<String, Given>,
    /// Bytes of all files and inputs together.
    bytes: usize,
}

/// The value of a node for one run, not read yet.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// As an attribute `value` has it.
    Literal(String),
    /// As a file that an attribute `src` names has it.
    File(Vec<u8>),
}

impl Upload {
    /// A part that is text, or a parameter.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<(), Refusal> {
        match name {
            "name" => self.name = shown_name(value),
            "project" => self.set_project(value.trim())?,
            "workflow" => self.workflow = Some(value.trim().parse()?),
            "example" => self.example = Some(value.trim().to_owned()),
            "reuse" => self.reuse = Some(reuse(value)?),
            "trust" => self.set_trust(value.trim())?,
            "set" => {
                let (id, literal) = value.split_once('=').ok_or_else(|| no_assignment(value))?;
                self.set(id.to_owned(), Given::Literal(literal.to_owned()))?;
            }
            other => return Err(unknown(other)),
        }
        Ok(())
    }

    /// A form and its address may both name it.
    fn set_project(&mut self, slug: &str) -> Result<(), Refusal> {
        match self.project.as_deref() {
            Some(other) if other != slug => {
                Err(Refusal::BadUpload("`project` comes twice, with different names".into()))
            }
            _ => {
                self.project = Some(slug.to_owned());
                Ok(())
            }
        }
    }

    fn set_trust(&mut self, policy: &str) -> Result<(), Refusal> {
        let bad = |error: PolicyError| Refusal::BadUpload(format!("`trust`: {error}"));
        let trust = policy.parse().map_err(bad)?;
        match self.trust.replace(trust) {
            Some(_) => Err(Refusal::BadUpload("`trust` comes twice".into())),
            None => Ok(()),
        }
    }

    pub(super) fn set(&mut self, id: String, given: Given) -> Result<(), Refusal> {
        self.weigh(given.bytes())?;
        if self.inputs.contains_key(&id) {
            return Err(Refusal::BadUpload(format!("the input `{id}` comes twice")));
        }
        if self.inputs.len() >= MAX_INPUTS {
            return Err(Refusal::BadUpload(format!("more than {MAX_INPUTS} inputs")));
        }
        self.inputs.insert(id, given);
        Ok(())
    }

    pub(super) fn add_file(&mut self, path: String, bytes: Vec<u8>) -> Result<(), Refusal> {
        self.weigh(bytes.len())?;
        if self.files.contains_key(&path) {
            return Err(Refusal::BadUpload(format!("the file `{path}` comes twice")));
        }
        if self.files.len() >= MAX_BUNDLE_FILES {
            return Err(Refusal::UploadTooLarge);
        }
        self.files.insert(path, bytes);
        Ok(())
    }

    fn weigh(&mut self, more: usize) -> Result<(), Refusal> {
        self.bytes += more;
        if self.bytes > MAX_BUNDLE_BYTES { Err(Refusal::UploadTooLarge) } else { Ok(()) }
    }
}

impl Given {
    fn bytes(&self) -> usize {
        match self {
            Self::Literal(text) => text.len(),
            Self::File(bytes) => bytes.len(),
        }
    }
}

fn shown_name(text: &str) -> Option<String> {
    let name: String = text.trim().chars().filter(|c| !c.is_control()).take(MAX_NAME_CHARS).collect();
    (!name.is_empty()).then_some(name)
}

fn reuse(text: &str) -> Result<Reuse, Refusal> {
    let known = Reuse::ALL.map(Reuse::as_str).join(", ");
    Reuse::parse(text.trim()).ok_or_else(|| Refusal::BadUpload(format!("`reuse` is one of {known}")))
}

fn no_assignment(text: &str) -> Refusal {
    let found: String = text.chars().take(MAX_NAME_CHARS).collect();
    Refusal::BadUpload(format!("`set` is the id of a value node, `=` and its value, not `{found}`"))
}

fn unknown(part: &str) -> Refusal {
    let found: String = part.chars().take(MAX_NAME_CHARS).collect();
    Refusal::BadUpload(format!(
        "a part `{found}`; known are file, name, project, workflow, example, set, setFile, reuse and trust"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(parts: &[(&str, &str)]) -> Result<Upload, String> {
        let mut upload = Upload::default();
        for (name, value) in parts {
            upload.take(name, value).map_err(|refusal| refusal.to_string())?;
        }
        Ok(upload)
    }

    #[test]
    fn text_parts_are_read_or_refused_by_name() {
        let upload = taken(&[
            ("name", " a\u{7}b "),
            ("trust", " quorum(2)"),
            ("reuse", "always"),
            ("set", "x==1"),
            ("set", "y="),
        ]);
        let upload = upload.unwrap();
        assert_eq!(
            taken(&[("project", " bees "), ("project", "bees")]).unwrap().project.as_deref(),
            Some("bees")
        );
        assert_eq!((upload.name.as_deref(), upload.reuse), (Some("ab"), Some(Reuse::Always)));
        assert_eq!(upload.trust, "quorum(2)".parse().ok());
        assert_eq!(upload.inputs["x"], Given::Literal("=1".into()), "the first `=` ends the id");
        assert_eq!(upload.inputs["y"], Given::Literal(String::new()));
        for (parts, words) in [
            ([("set", "x")].as_slice(), "not `x`"),
            (&[("project", "bees"), ("project", "ants")], "`project` comes twice"),
            (&[("set", "x=1"), ("set", "x=2")], "`x` comes twice"),
            (&[("reuse", "sometimes")], "never, repeatable, always"),
            (&[("trust", "twice")], "`quorum(3)` (2 to 7 answers that agree)"),
            (&[("trust", "quorum(1)")], "nothing to compare"),
            (&[("trust", "none"), ("trust", "none")], "comes twice"),
            (&[("workflow", "12")], "64 lower-case hex digits"),
            (&[("colour", "red")], "a part `colour`"),
        ] {
            let told = taken(parts).unwrap_err();
            assert!(told.contains(words), "{parts:?}: {told}");
        }
    }

    #[test]
    fn everything_counts_towards_the_bound() {
        let mut upload = Upload::default();
        let half = vec![0; MAX_BUNDLE_BYTES / 2];
        upload.add_file("a".into(), half.clone()).unwrap();
        upload.set("b".into(), Given::File(half)).unwrap();
        assert_eq!(upload.take("set", "c=1").unwrap_err().code(), "uploadTooLarge");
        let mut many = Upload::default();
        let refused = (0..=MAX_INPUTS).find_map(|at| many.take("set", &format!("{at}=1")).err());
        assert_eq!(refused.map(|refusal| refusal.code()), Some("badUpload"));
    }
}
