//! Memory of the device: making it, writing to it, reading it back.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use wgpu::{Buffer, BufferDescriptor, BufferUsages, MapMode};

use crate::device::Gpu;
use crate::signal::signal;

/// Copies between a device and its host begin and end at multiples of this many bytes.
const STEP: u64 = wgpu::COPY_BUFFER_ALIGNMENT;
/// Kernels read and write it, and so does the host.
const USAGES: BufferUsages = BufferUsages::STORAGE
    .union(BufferUsages::UNIFORM)
    .union(BufferUsages::COPY_SRC)
    .union(BufferUsages::COPY_DST);

/// A piece of the device's memory, zero at first.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "a handle for JavaScript")]
pub struct Memory {
    pub(super) buffer: Buffer,
}

#[wasm_bindgen]
impl Memory {
    /// Gives the memory back at once instead of when JavaScript forgets it.
    pub fn release(&self) {
        self.buffer.destroy();
    }
}

#[wasm_bindgen]
impl Gpu {
    /// Memory of at least `bytes` bytes; the device counts in fours.
    ///
    /// # Errors
    /// When it is more than a kernel can be given here.
    pub fn memory(&self, bytes: u32) -> Result<Memory, JsError> {
        let most = self.max_bytes();
        if bytes == 0 || bytes > most {
            return Err(JsError::new(&format!("a buffer of {bytes} bytes; 1 to {most} are possible here")));
        }
        let size = u64::from(bytes).next_multiple_of(STEP);
        let wanted = BufferDescriptor { label: None, size, usage: USAGES, mapped_at_creation: false };
        Ok(Memory { buffer: self.device.create_buffer(&wanted) })
    }

    /// Writes `bytes` at the byte `at`, before everything that is asked for later.
    ///
    /// # Errors
    /// When they do not fit, or do not begin and end at multiples of four bytes.
    pub fn write(&self, memory: &Memory, at: u32, bytes: &[u8]) -> Result<(), JsError> {
        check(memory, at, bytes.len() as u64)?;
        let whole = bytes.len() - bytes.len() % 4;
        self.queue.write_buffer(&memory.buffer, at.into(), &bytes[..whole]);
        if whole < bytes.len() {
            let mut last = [0; 4];
            last[..bytes.len() - whole].copy_from_slice(&bytes[whole..]);
            self.queue.write_buffer(&memory.buffer, u64::from(at) + whole as u64, &last);
        }
        Ok(())
    }

    /// The `length` bytes at `at`, once everything that was asked for before is done.
    ///
    /// # Errors
    /// When there are not so many, or the device is lost.
    pub async fn read(&self, memory: &Memory, at: u32, length: u32) -> Result<Uint8Array, JsError> {
        check(memory, at, length.into())?;
        let size = u64::from(length).next_multiple_of(STEP);
        let usage = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);
        let staging = self.device.create_buffer(&BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&memory.buffer, at.into(), &staging, 0, size);
        self.queue.submit([encoder.finish()]);
        let (mapped, tell) = signal();
        staging.map_async(MapMode::Read, .., tell);
        mapped.await.map_err(|_| JsError::new("the device was lost"))?;
        let view = staging.get_mapped_range(..).map_err(|error| JsError::new(&error.to_string()))?;
        let bytes = view.as_uint8array().slice(0, length);
        drop(view);
        staging.destroy();
        Ok(bytes)
    }
}

fn check(memory: &Memory, at: u32, length: u64) -> Result<(), JsError> {
    let (size, end) = (memory.buffer.size(), u64::from(at) + length);
    if length == 0 || end > size || end.next_multiple_of(STEP) > size {
        return Err(JsError::new(&format!("bytes {at} to {end} of a buffer of {size} bytes")));
    }
    let ends_inside = end % STEP != 0 && end.next_multiple_of(STEP) != size;
    if u64::from(at) % STEP != 0 || ends_inside {
        let why =
            format!("bytes {at} to {end}: a GPU's memory is reached in fours, and only the end may be odd");
        return Err(JsError::new(&why));
    }
    Ok(())
}
