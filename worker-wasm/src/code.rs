//! The codes that jobs name: each is fetched once and kept while the worker is connected.

use weevil_protocol::frame::CodeRef;
use weevil_protocol::slot::SlotCommand;

#[derive(Debug)]
struct Code {
    known: CodeRef,
    text: Option<String>,
    /// Could not be fetched: the next mention asks again.
    failed: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Codes(Vec<Code>);

impl Codes {
    /// The index of this code, and whether it is new and must be fetched.
    pub(crate) fn add(&mut self, known: CodeRef) -> (u32, bool) {
        if let Some(at) = self.0.iter().position(|code| code.known == known) {
            return (index(at), std::mem::take(&mut self.0[at].failed));
        }
        self.0.push(Code { known, text: None, failed: false });
        (index(self.0.len() - 1), true)
    }

    pub(crate) fn get(&self, at: u32) -> Option<&CodeRef> {
        self.0.get(at as usize).map(|code| &code.known)
    }

    pub(crate) fn text(&self, at: u32) -> Option<&str> {
        self.0.get(at as usize).and_then(|code| code.text.as_deref())
    }

    /// What a job worker needs before its first job with this code.
    pub(crate) fn for_slot(&self, at: u32) -> Option<SlotCommand> {
        let source = self.get(at)?.source.clone();
        self.text(at).map(|text| SlotCommand::Code { code: at, source, text: text.to_owned() })
    }

    pub(crate) fn forget(&mut self, at: u32) {
        if let Some(code) = self.0.get_mut(at as usize) {
            code.failed = true;
        }
    }

    pub(crate) fn loaded(&mut self, at: u32, text: String) {
        if let Some(code) = self.0.get_mut(at as usize) {
            code.text = Some(text);
        }
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
