//! The codes that jobs name: each is fetched once and kept while the worker is connected.

use weevil_protocol::frame::{CodeKind, CodeRef};
use weevil_protocol::slot::SlotCommand;

use crate::slot::Place;

#[derive(Debug)]
struct Code {
    known: CodeRef,
    content: Option<Content>,
    /// Could not be fetched: the next mention asks again.
    failed: bool,
}

#[derive(Debug)]
enum Content {
    Text(String),
    Module(Vec<u8>),
}

#[derive(Debug, Default)]
pub(crate) struct Codes(Vec<Code>);

impl Codes {
    /// The index of this code, and whether it is new and must be fetched.
    pub(crate) fn add(&mut self, known: CodeRef) -> (u32, bool) {
        if let Some(at) = self.0.iter().position(|code| code.known == known) {
            return (index(at), std::mem::take(&mut self.0[at].failed));
        }
        self.0.push(Code { known, content: None, failed: false });
        (index(self.0.len() - 1), true)
    }

    pub(crate) fn get(&self, at: u32) -> Option<&CodeRef> {
        self.0.get(at as usize).map(|code| &code.known)
    }

    /// Where its jobs run, once its bytes are there.
    pub(crate) fn place(&self, at: u32) -> Option<Place> {
        let code = self.0.get(at as usize)?;
        code.content.as_ref().map(|_| (code.known.workflow, code.known.kind() == CodeKind::Wasm))
    }

    /// What a job worker needs before its first job with this code.
    pub(crate) fn for_slot(&self, at: u32) -> Option<SlotCommand> {
        let Code { known, content, .. } = self.0.get(at as usize)?;
        let (text, module) = match content.as_ref()? {
            Content::Text(text) => (text.clone(), None),
            Content::Module(bytes) => (String::new(), Some(bytes.clone())),
        };
        let (source, code_kind) = (known.source.clone(), known.kind());
        Some(SlotCommand::Code { code: at, source, code_kind, text, module })
    }

    pub(crate) fn forget(&mut self, at: u32) {
        if let Some(code) = self.0.get_mut(at as usize) {
            code.failed = true;
        }
    }

    /// # Errors
    /// When bytes that should be text are none.
    pub(crate) fn loaded(&mut self, at: u32, bytes: Vec<u8>) -> Result<(), String> {
        let Some(code) = self.0.get_mut(at as usize) else { return Ok(()) };
        code.content = Some(match code.known.kind() {
            CodeKind::Wasm => Content::Module(bytes),
            CodeKind::JavaScript | CodeKind::WebCl => {
                let not_text = |_| format!("the code {} is not UTF-8", code.known.source);
                Content::Text(String::from_utf8(bytes).map_err(not_text)?)
            }
        });
        Ok(())
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
