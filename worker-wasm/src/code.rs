//! The codes that jobs name: each is fetched once and kept while the worker is connected.

use std::collections::HashSet;

use weevil_protocol::frame::{CodeKind, CodeRef};
use weevil_protocol::slot::{SlotCommand, SlotKernel};

use crate::slot::{JobHome, Realm};

#[derive(Debug)]
struct Code {
    known: CodeRef,
    content: Option<Content>,
    /// What GPU code needs besides itself.
    gpu: Option<GpuParts>,
    /// Could not be fetched: the next mention asks again.
    failed: bool,
}

#[derive(Debug)]
enum Content {
    Text(String),
    Module(Vec<u8>),
    Kernel(String),
}

/// What the job worker of a GPU job is given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GpuParts {
    pub kernels: Vec<SlotKernel>,
    /// A WebAssembly module with its script inside.
    pub runtime: Vec<u8>,
}

impl Code {
    fn is_there(&self) -> bool {
        self.content.is_some() && (!self.known.kind().uses_gpu() || self.gpu.is_some())
    }
}

#[derive(Debug, Default)]
pub(crate) struct Codes(Vec<Code>);

impl Codes {
    /// The index of this code, and whether it is new and must be fetched.
    pub(crate) fn add(&mut self, known: CodeRef) -> (u32, bool) {
        if let Some(at) = self.0.iter().position(|code| code.known == known) {
            return (index(at), std::mem::take(&mut self.0[at].failed));
        }
        self.0.push(Code { known, content: None, gpu: None, failed: false });
        (index(self.0.len() - 1), true)
    }

    pub(crate) fn get(&self, at: u32) -> Option<&CodeRef> {
        self.0.get(at as usize).map(|code| &code.known)
    }

    /// Where a job of it runs, once its bytes are there. Modules find no time anyway, and keep nothing.
    pub(crate) fn home(&self, at: u32, deterministic: bool) -> Option<JobHome> {
        let known = &self.0.get(at as usize).filter(|code| code.is_there())?.known;
        let strict = known.kind() == CodeKind::Wasm;
        Some(JobHome { workflow: known.workflow, realm: Realm { strict, frozen: deterministic && !strict } })
    }

    pub(crate) fn is_there(&self, at: u32) -> bool {
        self.0.get(at as usize).is_some_and(Code::is_there)
    }

    /// What a job worker needs before its first job with this code; `sent` are the codes that it was sent, this one too.
    /// The GPU runtime goes with the first that needs it.
    pub(crate) fn for_slot(&self, at: u32, sent: &HashSet<u32>) -> Option<SlotCommand> {
        let Code { known, content, gpu, .. } = self.0.get(at as usize)?;
        let (source, code_kind) = (known.source.clone(), known.kind());
        let kernels = || gpu.as_ref().map(|parts| parts.kernels.clone());
        let itself = |text: &String| vec![SlotKernel { name: source.clone(), text: text.clone() }];
        let (text, module, kernels) = match content.as_ref()? {
            Content::Text(text) => (text.clone(), None, kernels()),
            Content::Module(bytes) => (String::new(), Some(bytes.clone()), None),
            Content::Kernel(text) => (String::new(), None, Some(itself(text))),
        };
        let has_runtime = sent.iter().any(|other| *other != at && self.is_for_gpu(*other));
        let gpu = gpu.as_ref().filter(|_| !has_runtime).map(|parts| parts.runtime.clone());
        Some(SlotCommand::Code { code: at, source, code_kind, text, module, kernels, gpu })
    }

    /// Do jobs of it open the GPU?
    pub(crate) fn is_for_gpu(&self, at: u32) -> bool {
        self.get(at).is_some_and(|known| known.kind().uses_gpu())
    }

    /// The GPU parts of a code have come.
    pub(crate) fn equipped(&mut self, at: u32, parts: GpuParts) {
        if let Some(code) = self.0.get_mut(at as usize) {
            code.gpu = Some(parts);
        }
    }

    pub(crate) fn forget(&mut self, at: u32) {
        if let Some(code) = self.0.get_mut(at as usize) {
            code.failed = true;
        }
    }

    /// The way is cut: what has not come by now may never come, and the next mention asks again.
    pub(crate) fn ask_again(&mut self) {
        for at in 0..index(self.0.len()) {
            if !self.is_there(at) {
                self.forget(at);
            }
        }
    }

    /// # Errors
    /// When bytes that should be text are not UTF-8.
    pub(crate) fn loaded(&mut self, at: u32, bytes: Vec<u8>) -> Result<(), String> {
        let Some(code) = self.0.get_mut(at as usize) else { return Ok(()) };
        code.content = Some(match code.known.kind() {
            CodeKind::Wasm => Content::Module(bytes),
            CodeKind::JavaScript | CodeKind::WebCl => Content::Text(text(&code.known, bytes)?),
            CodeKind::Wgsl => Content::Kernel(text(&code.known, bytes)?),
        });
        Ok(())
    }
}

fn text(known: &CodeRef, bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| format!("the code {} is not UTF-8", known.source))
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
