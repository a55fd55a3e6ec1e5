//! What the bytes of a code are, on the wire and inside the volunteer's browser.

use minicbor::{Decode, Encode};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use weevil_model::{Capabilities, JobType};

/// What a job worker makes of a code's bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Encode, Decode, Serialize, Deserialize, TS)]
#[cbor(index_only)]
#[serde(rename_all = "lowercase")]
pub enum CodeKind {
    #[default]
    #[n(0)]
    JavaScript,
    /// A WebAssembly module as docs/wasm-abi.md says.
    #[n(1)]
    Wasm,
    /// JavaScript with a GPU.
    #[n(2)]
    WebCl,
    /// A kernel: a GPU and no JavaScript of anybody but the worker's.
    #[n(3)]
    Wgsl,
}

impl CodeKind {
    /// Follows from what the job needs: nothing else is stored.
    pub const fn of(needs: Capabilities) -> Self {
        match (needs.include(Capabilities::JAVASCRIPT), needs.include(Capabilities::WEBCL)) {
            (true, true) => Self::WebCl,
            (false, _) if needs.include(Capabilities::WASM) => Self::Wasm,
            (false, true) => Self::Wgsl,
            _ => Self::JavaScript,
        }
    }

    /// Whether a job worker needs the GPU runtime for it.
    pub const fn uses_gpu(self) -> bool {
        matches!(self, Self::WebCl | Self::Wgsl)
    }

    /// The word of the workflow language for it.
    pub const fn job_type(self) -> JobType {
        match self {
            Self::JavaScript => JobType::JavaScript,
            Self::Wasm => JobType::Wasm,
            Self::WebCl | Self::Wgsl => JobType::WebCl,
        }
    }
}
