//! What a worker says of itself when it comes. Only claims: what follows from them the server decides.

use minicbor::{Decode, Encode};
use weevil_model::{Capabilities, Needs};

use crate::bounded;

#[derive(Debug, Clone, PartialEq, Encode, Decode)]
pub struct Hello {
    #[n(0)]
    pub version: u32,
    /// What the worker calls itself, for people to read.
    #[cbor(n(1), decode_with = "bounded::agent")]
    pub agent: String,
    #[n(2)]
    pub slots: u32,
    /// Jobs the worker wants to hold at a time, running and waiting.
    #[n(3)]
    pub capacity: u32,
    /// What it can run, `weevil_model::Capabilities`; a worker that does not say runs JavaScript.
    #[n(4)]
    pub capabilities: Option<u32>,
    /// Memory that one of its jobs may use, 2^20 bytes; a worker that does not say is only given jobs that do not ask.
    #[n(5)]
    pub memory_mb: Option<u32>,
    /// Vendor and architecture of the GPU that it lends, for people to read; never what would tell one machine from another. `None`
    /// where it lends none, or says nothing.
    #[cbor(n(6), decode_with = "bounded::adapter", nil = "bounded::absent")]
    pub adapter: Option<String>,
    /// It has a GPU and does not lend it, and no more of that: a claim by which people are told what they could ask for. It makes no
    /// worker eligible for anything.
    #[n(7)]
    pub keeps_gpu: Option<bool>,
}

impl Hello {
    pub fn has(&self) -> Needs {
        let capabilities = self.capabilities.map_or(Capabilities::JAVASCRIPT, Capabilities);
        Needs { capabilities, memory_mb: self.memory_mb.unwrap_or_default() }
    }

    /// Who lends a GPU keeps none, whatever it says.
    pub fn keeps_gpu(&self) -> bool {
        self.keeps_gpu == Some(true) && !self.has().capabilities.include(Capabilities::WEBCL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FrameError;
    use crate::frame::ClientFrame;

    #[test]
    fn a_hello_that_keeps_no_gpu_is_what_it_was_before_it_could_say_so() {
        let hello = |capabilities, keeps_gpu| Hello {
            version: 1,
            agent: "a".into(),
            slots: 2,
            capacity: 4,
            capabilities,
            memory_mb: None,
            adapter: None,
            keeps_gpu,
        };
        for (hello, keeps, bytes) in [
            (hello(None, None), false, &b"\x82\x00\x81\x84\x01\x61a\x02\x04"[..]),
            (hello(Some(5), Some(true)), true, b"\x82\x00\x81\x88\x01\x61a\x02\x04\x05\xf6\xf6\xf5"),
            (hello(Some(5), Some(false)), false, b"\x82\x00\x81\x88\x01\x61a\x02\x04\x05\xf6\xf6\xf4"),
            (hello(Some(7), Some(true)), false, b"\x82\x00\x81\x88\x01\x61a\x02\x04\x07\xf6\xf6\xf5"),
        ] {
            assert_eq!(hello.keeps_gpu(), keeps, "{hello:?}");
            let frame = ClientFrame::Hello(hello);
            assert_eq!((frame.encode().as_slice(), ClientFrame::decode(bytes)), (bytes, Ok(frame)));
        }
        for claim in [&b"\x01"[..], b"\x61y", b"\x80"] {
            let bytes = [&b"\x82\x00\x81\x88\x01\x61a\x02\x04\x05\xf6\xf6"[..], claim].concat();
            assert!(matches!(ClientFrame::decode(&bytes), Err(FrameError::Malformed(_))), "{claim:x?}");
        }
    }
}
