//! The words every other crate shares: ids, JavaScript values, types, states, limits.
//!
//! Never does IO, never reads a clock, never makes randomness: all three come in as arguments.
//! Compiles natively and to WebAssembly.

mod agree;
pub mod arguments;
mod canonical;
mod check;
pub mod csv;
pub mod diagnostic;
pub mod elements;
pub mod encoded;
pub mod hash;
pub mod ids;
pub mod json;
pub mod json_read;
pub mod json_stream;
pub mod json_view;
pub mod kernel;
pub mod limits;
pub mod needs;
mod number_text;
mod packing;
mod pause;
pub mod place;
mod pool;
pub mod reuse;
mod rights;
mod role;
mod seed;
pub mod state;
mod store_error;
pub mod time;
pub mod trust;
pub mod types;
pub mod value;
pub mod witness;

pub use agree::{Agree, AgreeError, MAX_MODULE_NAME_CHARS, Tolerance, Within};
pub use arguments::Arguments;
pub use canonical::{canonical, digest};
pub use csv::{CsvPieces, NoTable};
pub use diagnostic::{Diagnostic, Severity};
pub use elements::Elements;
pub use encoded::{Encoded, EncodedError};
pub use hash::{ContentHash, HashError};
pub use ids::{
    AccountId, AuditId, IdError, JobId, Minter, ProjectId, RunId, SessionId, TokenId, WorkerId, beginning,
};
pub use json_read::JsonTextError;
pub use json_stream::JsonPieces;
pub use json_view::ViewError;
pub use kernel::{
    KERNEL_EXTENSIONS, KernelAccess, KernelBinding, KernelElement, KernelEntry, KernelMistake, KernelOutline,
    KernelScalar, KernelStep, is_kernel_file,
};
pub use needs::{Capabilities, Needs};
pub use pause::{Pause, PauseWords, QueuePause, RunPause};
pub use place::PlaceNumber;
pub use pool::pool_of;
pub use reuse::Reuse;
pub use rights::{Face, Right, Role};
pub use role::AnswerRole;
pub use seed::job_seed;
pub use state::{JobType, NodeKind, NodeState, RunState};
pub use store_error::StoreError;
pub use time::Timestamp;
pub use types::{DataType, TypedArrayKind};
pub use value::Value;
