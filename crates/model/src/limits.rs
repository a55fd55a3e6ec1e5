//! Every bound that strangers can run into, with its name and unit. Changing one changes a test.

/// Bytes of one encoded JavaScript value: an input list, a result, a literal.
pub const MAX_VALUE_BYTES: usize = 16 * 1024 * 1024;
/// Nesting of one value. The decoder is recursive; this keeps it off the end of the stack.
pub const MAX_VALUE_DEPTH: usize = 128;
/// Bytes of one WebSocket message, either way.
pub const MAX_FRAME_BYTES: usize = 32 * 1024 * 1024;
/// Bytes of input that one assign frame carries; a larger job travels alone.
pub const MAX_ASSIGN_BYTES: usize = 4 * 1024 * 1024;
/// Jobs that one worker may hold at a time.
pub const MAX_IN_FLIGHT: u32 = 2048;
/// Slots of one worker.
pub const MAX_SLOTS: u32 = 256;
/// Connected workers.
pub const MAX_WORKERS: usize = 10_000;
/// Bytes of one uploaded workflow, all files together.
pub const MAX_BUNDLE_BYTES: usize = 32 * 1024 * 1024;
/// Files in one uploaded workflow.
pub const MAX_BUNDLE_FILES: usize = 1000;
/// Nodes of one workflow document.
pub const MAX_NODES: usize = 100_000;
/// Nesting of one workflow document.
pub const MAX_XML_DEPTH: usize = 32;
/// Elements of one pool's input.
pub const MAX_POOL_ELEMENTS: usize = 2_000_000;
/// Processors of one pool that live at a time: the rest of the input waits as bytes.
pub const POOL_WINDOW: usize = 8192;
/// Processors of one pool that compute or whose answers wait to be believed: no more start until one ends.
pub const MAX_ANSWERED: usize = 32_768;
/// Characters kept of what a worker calls itself.
pub const MAX_AGENT_CHARS: usize = 200;
/// Characters kept of the GPU that a worker says it lends: its vendor and its architecture.
pub const MAX_ADAPTER_CHARS: usize = 100;
/// Characters kept of an error's message, and of its stack.
pub const MAX_ERROR_CHARS: usize = 4000;
/// Lines of a job's log that leave its worker; the others are counted.
pub const MAX_LOG_LINES: usize = 100;
/// Characters of one of them, the last of which says that more were cut off.
pub const MAX_LOG_LINE_CHARS: usize = 1000;
/// Characters kept of an attempt's log.
pub const MAX_LOG_CHARS: usize = 16_000;
/// Attempts of a job whose node does not say `retries`.
pub const DEFAULT_ATTEMPTS: u32 = 3;
/// Characters of a queue's name.
pub const MAX_QUEUE_CHARS: usize = 100;
/// Characters of a stand-alone job's key.
pub const MAX_KEY_CHARS: usize = 255;
/// Stand-alone jobs that one request puts in.
pub const MAX_JOBS_AT_ONCE: usize = 1000;
/// Attempts of one job.
pub const MAX_ATTEMPTS: u32 = 1000;
/// The largest priority of a stand-alone job, and its negative the smallest. Larger is earlier.
pub const MAX_PRIORITY: i32 = 50_000;
/// Milliseconds from a job's first error to its next attempt; each further pause is twice as long.
pub const DEFAULT_RETRY_MS: u32 = 1000;
/// Seconds a job may run when its node does not say `timeout`.
pub const DEFAULT_TIMEOUT_SECONDS: u32 = 300;
/// Nodes that the view of a run lists; the others are only counted.
pub const MAX_SHOWN_NODES: usize = 1000;
/// The newest runs of a project, which every page that shows the list is told of as they change.
pub const MAX_LISTED_RUNS: u32 = 200;
/// Entries on a page of a list, unless another number is asked for.
pub const DEFAULT_PAGE: u32 = 100;
/// Entries on a page of a list at most.
pub const MAX_PAGE: u32 = 1000;
