//! What a GPU job costs beside the same WGSL dispatched by hand in a page of the same browser, on the software adapter.

use std::path::Path;

use weevil_e2e::{Browser, Files, Page, TestServer, files};
use weevil_model::RunState;

use crate::measure::Figures;

/// Dispatches of one figure.
const DISPATCHES: u32 = 10;
const ITEMS: u32 = 1 << 16;
const KERNEL: &str = "
@group(0) @binding(0) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64)
fn Work(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = y[id.x];
    for (var i = 0u; i < 1000u; i++) { x = fract(x * 1.000001 + 0.1); }
    y[id.x] = x;
}
";

/// Time by hand over time in a job: buffers in, dispatch, buffers out.
pub(crate) fn ratio(binary: &Path, figures: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/console"));
    let _tab = browser.open(&server.url("/?autostart&slots=1&gpu=1"));
    let workflow = workflow();
    let figures = (0..figures).map(|_| {
        let by_hand = by_hand_ms(&page);
        let view = server.api().await_end(&server.api().run(&workflow));
        assert_eq!(view.summary.state, RunState::Finished, "{:?}", view.error);
        by_hand / view.result.and_then(|ms| ms.as_f64()).expect("a number")
    });
    vec![figures.collect()]
}

/// A job that answers the mean milliseconds of its dispatches after a first one.
fn workflow() -> Files {
    let document = r#"<workflow><nodes><job id="only" src="Code" jobtype="webcl" returntype="Number" retries="0"/></nodes>
        <finalnode id="only"/></workflow>"#;
    let code = format!(
        "async function weevil_main() {{
            const work = await weevil.kernel('Work'), y = new Float32Array({ITEMS}).fill(0.5);
            await work.run({{ y }}, [{ITEMS}]);
            const start = performance.now();
            for (let i = 0; i < {DISPATCHES}; i++) await work.run({{ y }}, [{ITEMS}]);
            return (performance.now() - start) / {DISPATCHES};
        }}"
    );
    files(&[("workflow.xml", document), ("Code.js", &code), ("Work.wgsl", KERNEL)])
}

fn by_hand_ms(page: &Page<'_>) -> f64 {
    let kernel = serde_json::to_string(KERNEL).expect("texts are JSON");
    let ms = page.eval(&format!(
        "(async () => {{
            const device = await (await navigator.gpu.requestAdapter()).requestDevice();
            const module = device.createShaderModule({{ code: {kernel} }});
            const pipeline = device.createComputePipeline({{ layout: 'auto', compute: {{ module, entryPoint: 'Work' }} }});
            const y = new Float32Array({ITEMS}).fill(0.5), size = y.byteLength;
            const run = async () => {{
                const data = device.createBuffer({{ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST }});
                const back = device.createBuffer({{ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST }});
                device.queue.writeBuffer(data, 0, y);
                const entries = [{{ binding: 0, resource: {{ buffer: data }} }}];
                const group = device.createBindGroup({{ layout: pipeline.getBindGroupLayout(0), entries }});
                const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
                pass.setPipeline(pipeline);
                pass.setBindGroup(0, group);
                pass.dispatchWorkgroups({ITEMS} / 64);
                pass.end();
                encoder.copyBufferToBuffer(data, 0, back, 0, size);
                device.queue.submit([encoder.finish()]);
                await back.mapAsync(GPUMapMode.READ);
                y.set(new Float32Array(back.getMappedRange()));
                data.destroy();
                back.destroy();
            }};
            await run();
            const start = performance.now();
            for (let i = 0; i < {DISPATCHES}; i++) await run();
            const ms = (performance.now() - start) / {DISPATCHES};
            device.destroy();
            return ms;
        }})()"
    ));
    ms.as_f64().expect("a number")
}
