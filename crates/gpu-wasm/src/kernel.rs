//! Kernels: WGSL to a pipeline, with the memory it is bound to, and dispatches of it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use wasm_bindgen::prelude::*;
use wgpu::{
    BindGroupDescriptor, BindGroupEntry, BindGroupLayout, BindGroupLayoutDescriptor, BindGroupLayoutEntry,
    BindingType, Buffer, BufferBindingType, CommandEncoderDescriptor, CompilationMessageType,
    ComputePassDescriptor, ComputePipeline, ComputePipelineDescriptor, ErrorFilter, PipelineLayoutDescriptor,
    ShaderModule, ShaderModuleDescriptor, ShaderSource, ShaderStages,
};

use crate::device::{Gpu, words};
use crate::memory::Memory;

/// An entry point of a WGSL text, and what its bindings are bound to.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "a handle for JavaScript")]
pub struct Kernel {
    pipeline: ComputePipeline,
    layout: BindGroupLayout,
    bound: RefCell<BTreeMap<u32, Buffer>>,
}

#[wasm_bindgen]
impl Kernel {
    /// The next dispatches find `memory` at `@group(0) @binding(binding)`.
    pub fn bind(&self, binding: u32, memory: &Memory) {
        self.bound.borrow_mut().insert(binding, memory.buffer.clone());
    }
}

#[wasm_bindgen]
impl Gpu {
    /// Compiles one entry point. `bindings` are pairs: the number of a binding of group 0, and what it is: 0 uniform,
    /// 1 storage to read, 2 storage to read and write.
    ///
    /// # Errors
    /// With line and column where the text is wrong.
    pub async fn compile(&self, text: String, entry: String, bindings: Vec<u32>) -> Result<Kernel, JsError> {
        let scope = self.device.push_error_scope(ErrorFilter::Validation);
        let source = ShaderSource::Wgsl(text.into());
        let module = self.device.create_shader_module(ShaderModuleDescriptor { label: None, source });
        let kernel = self.kernel(&module, &entry, &bindings);
        let Some(error) = scope.pop().await else { return Ok(kernel) };
        Err(JsError::new(&mistakes(&module).await.unwrap_or_else(|| words(&error))))
    }

    /// Runs a kernel in so many workgroups.
    ///
    /// # Errors
    /// When there are too many of them for this device.
    pub fn dispatch(&self, kernel: &Kernel, x: u32, y: u32, z: u32) -> Result<(), JsError> {
        let most = self.max_groups();
        if [x, y, z].into_iter().any(|groups| groups > most) {
            return Err(JsError::new(&format!(
                "{x} x {y} x {z} workgroups; {most} in a direction are possible"
            )));
        }
        let bound = kernel.bound.borrow();
        let entries: Vec<_> = bound
            .iter()
            .map(|(binding, buffer)| BindGroupEntry {
                binding: *binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let wanted = BindGroupDescriptor { label: None, layout: &kernel.layout, entries: &entries };
        let group = self.device.create_bind_group(&wanted);
        let mut encoder = self.device.create_command_encoder(&CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
        pass.set_pipeline(&kernel.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(x, y, z);
        drop(pass);
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    fn kernel(&self, module: &ShaderModule, entry: &str, bindings: &[u32]) -> Kernel {
        let entries: Vec<_> = bindings.chunks_exact(2).map(|pair| layout_entry(pair[0], pair[1])).collect();
        let layout = self
            .device
            .create_bind_group_layout(&BindGroupLayoutDescriptor { label: None, entries: &entries });
        let whole = self.device.create_pipeline_layout(&PipelineLayoutDescriptor {
            bind_group_layouts: &[Some(&layout)],
            ..PipelineLayoutDescriptor::default()
        });
        let pipeline = self.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: Some(&whole),
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Kernel { pipeline, layout, bound: RefCell::default() }
    }
}

fn layout_entry(binding: u32, kind: u32) -> BindGroupLayoutEntry {
    let ty = match kind {
        0 => BufferBindingType::Uniform,
        1 => BufferBindingType::Storage { read_only: true },
        _ => BufferBindingType::Storage { read_only: false },
    };
    BindGroupLayoutEntry {
        binding,
        visibility: ShaderStages::COMPUTE,
        ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    }
}

/// `line:column: message` for each error in the text.
async fn mistakes(module: &ShaderModule) -> Option<String> {
    let info = module.get_compilation_info().await;
    let errors = info.messages.iter().filter(|found| found.message_type == CompilationMessageType::Error);
    let lines: Vec<String> = errors
        .map(|found| match found.location {
            Some(at) => format!("{}:{}: {}", at.line_number, at.line_position, found.message),
            None => found.message.clone(),
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}
