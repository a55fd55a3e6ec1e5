//! The device: finding it, what went wrong with it, waiting for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use wasm_bindgen::prelude::*;
use wgpu::{Device, DeviceDescriptor, Error, Instance, InstanceDescriptor, Queue, RequestAdapterOptions};

use crate::signal::signal;

/// A device and its queue.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "a handle for JavaScript")]
pub struct Gpu {
    pub(super) device: Device,
    pub(super) queue: Queue,
    trouble: Arc<Mutex<Trouble>>,
}

/// What the device said by itself.
#[derive(Default)]
struct Trouble {
    /// The first error since it was last asked for.
    error: Option<String>,
    lost: Option<String>,
}

#[wasm_bindgen]
impl Gpu {
    /// Asks for an adapter and a device with all that the adapter can do.
    ///
    /// # Errors
    /// When there is no adapter, or no device.
    pub async fn open() -> Result<Self, JsError> {
        let mut wanted = InstanceDescriptor::new_without_display_handle();
        wanted.backends = wgpu::Backends::BROWSER_WEBGPU;
        let found = Instance::new(wanted).request_adapter(&RequestAdapterOptions::default()).await;
        let adapter = found.map_err(|error| JsError::new(&format!("no GPU: {error}")))?;
        let wanted = DeviceDescriptor { required_limits: adapter.limits(), ..DeviceDescriptor::default() };
        let opened = adapter.request_device(&wanted).await;
        let (device, queue) = opened.map_err(|error| JsError::new(&format!("no GPU device: {error}")))?;
        let trouble = Arc::<Mutex<Trouble>>::default();
        listen(&device, &trouble);
        Ok(Self { device, queue, trouble })
    }

    /// Why the device is lost, once it is.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> Option<String> {
        lock(&self.trouble).lost.clone()
    }

    /// The first error since this was last called.
    #[wasm_bindgen(js_name = takeError)]
    pub fn take_error(&self) -> Option<String> {
        lock(&self.trouble).error.take()
    }

    /// The largest buffer that a kernel can be given, in bytes.
    #[wasm_bindgen(getter, js_name = maxBytes)]
    pub fn max_bytes(&self) -> u32 {
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        u32::try_from(most).unwrap_or(u32::MAX) & !3
    }

    /// Workgroups in one direction of one dispatch.
    #[wasm_bindgen(getter, js_name = maxGroups)]
    pub fn max_groups(&self) -> u32 {
        self.device.limits().max_compute_workgroups_per_dimension
    }

    /// Everything that was asked for is done.
    pub async fn idle(&self) {
        let (done, tell) = signal();
        self.queue.on_submitted_work_done(move || tell(()));
        done.await;
    }
}

fn listen(device: &Device, trouble: &Arc<Mutex<Trouble>>) {
    let heard = trouble.clone();
    device.on_uncaptured_error(Arc::new(move |error: Error| {
        lock(&heard).error.get_or_insert_with(|| words(&error));
    }));
    let heard = trouble.clone();
    device.set_device_lost_callback(move |_, why| lock(&heard).lost = Some(why));
}

/// What the browser says about an error; wgpu's own words for it are of no use to an author.
pub(super) fn words(error: &Error) -> String {
    match error {
        Error::OutOfMemory { .. } => "the GPU is out of memory".to_owned(),
        Error::Validation { description, .. } | Error::Internal { description, .. } => description.clone(),
    }
}

fn lock(trouble: &Mutex<Trouble>) -> MutexGuard<'_, Trouble> {
    trouble.lock().unwrap_or_else(PoisonError::into_inner)
}
