//! Which buffers of a message to a job worker change hands instead of being copied: those of large inputs.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use weevil_protocol::slot::SlotCommand;

/// Below it a copy is cheaper than a buffer of its own.
const LARGE_BYTES: usize = 1 << 16;

/// The large inputs of `command`, as buffers of its form `message`, which nobody reads afterwards.
pub(crate) fn buffers(command: &SlotCommand, message: &JsValue) -> Array {
    let buffers = Array::new();
    let SlotCommand::Jobs { jobs, .. } = command else { return buffers };
    let large = |index: &usize| jobs[*index].input.len() > LARGE_BYTES;
    for index in (0..jobs.len()).filter(large) {
        if let Some(input) = input(message, index) {
            buffers.push(&input.buffer());
        }
    }
    buffers
}

fn input(message: &JsValue, index: usize) -> Option<Uint8Array> {
    let jobs: Array = Reflect::get(message, &"jobs".into()).ok()?.dyn_into().ok()?;
    let job = jobs.get(u32::try_from(index).ok()?);
    Reflect::get(&job, &"input".into()).ok()?.dyn_into().ok()
}
