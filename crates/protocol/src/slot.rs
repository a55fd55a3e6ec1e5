//! Messages between the coordinator and a job worker, over a `MessagePort`.
//!
//! Values travel as CBOR bytes that only the job worker unpacks: nothing a stranger's code made is ever
//! unpacked outside the sandbox.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::frame::CodeKind;

/// Coordinator to job worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SlotCommand {
    /// Comes once, before the first job that names this code.
    Code {
        code: u32,
        source: String,
        code_kind: CodeKind,
        /// Empty where the code is a module or a kernel.
        text: String,
        /// The bytes of a `.wasm` file.
        #[serde(default, with = "serde_bytes", skip_serializing_if = "Option::is_none")]
        #[ts(type = "Uint8Array", optional)]
        module: Option<Vec<u8>>,
        /// For GPU code, the workflow's kernels, or the one that is the code itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        kernels: Option<Vec<SlotKernel>>,
        /// The GPU runtime: a WebAssembly module with its script inside. Comes once, with the first GPU code.
        #[serde(default, with = "serde_bytes", skip_serializing_if = "Option::is_none")]
        #[ts(type = "Uint8Array", optional)]
        gpu: Option<Vec<u8>>,
    },
    /// From here on jobs use the GPU for this much of the time, 1 to 100.
    GpuDuty { percent: u32 },
    /// Jobs to run one after the other.
    Jobs { jobs: Vec<SlotJob>, max_value_bytes: u32 },
    /// From here on the job worker computes for this much of the time, 1 to 100; it rests in between.
    Duty { percent: u32 },
}

/// A kernel's source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SlotKernel {
    /// Its path in the workflow.
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SlotJob {
    /// The coordinator's own number for the attempt; the token stays with the coordinator.
    pub seq: u32,
    pub code: u32,
    /// CBOR array of the arguments.
    #[serde(with = "serde_bytes")]
    #[ts(type = "Uint8Array")]
    pub input: Vec<u8>,
    /// Low and high half of the seed.
    pub seed: [u32; 2],
    /// The clock stands still for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub deterministic: Option<bool>,
}

/// Job worker to coordinator.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum SlotReport {
    /// The runtime has loaded.
    Ready,
    /// Ended jobs, in the order in which they ended.
    Results { results: Vec<SlotResult> },
    /// The GPU was lost, and is opened anew.
    GpuLost,
    /// How much of a job that runs is done, 0 to 1; some times a second at most.
    Progress { seq: u32, done: f64 },
    /// The next job begins that many milliseconds later, to keep the duty.
    Rest { ms: f64 },
    /// A line that a job has logged; sent at once, for a job that never ends has no result to go with.
    Log { seq: u32, text: String },
    /// So many further lines of a job stay in its worker: said again when the number has doubled, and as the job ends.
    LeftOut {
        seq: u32,
        #[ts(type = "number")]
        lines: u64,
    },
    /// Nothing of this job is left in its realm: the next one begins.
    Quiet { seq: u32 },
    /// Something of this job goes on and cannot be ended: nothing begins here any more.
    Left { seq: u32 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SlotResult {
    pub seq: u32,
    /// The returned value in CBOR; left out when `error` is there.
    #[serde(default, with = "serde_bytes", skip_serializing_if = "Option::is_none")]
    #[ts(type = "Uint8Array", optional)]
    pub value: Option<Vec<u8>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub error: Option<SlotError>,
    /// Microseconds inside `weevil_main`.
    pub compute_us: f64,
    pub flops: f64,
    /// Code in this realm can run later than its job: the next one has not begun before `Quiet`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub loose: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct SlotError {
    pub kind: SlotErrorKind,
    pub message: String,
    pub stack: String,
}

/// The kinds of `frame::JobErrorKind` that a job worker can see for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum SlotErrorKind {
    Thrown,
    TooLarge,
    NotAValue,
    NoMain,
    Syntax,
}
