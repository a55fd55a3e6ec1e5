//! What the coordinator asks of the server over HTTP: code, kernels, the GPU runtime. Checks what has a hash.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;
use weevil_model::ContentHash;
use weevil_protocol::api::WorkflowView;
use weevil_protocol::slot::SlotKernel;

use crate::code::GpuParts;
use crate::shell::scope;

const KERNELS: &str = ".wgsl";

/// The bytes with this hash.
///
/// # Errors
/// In words, when they cannot be had.
pub(crate) async fn code(hash: ContentHash) -> Result<Vec<u8>, String> {
    let bytes = bytes(&format!("/blobs/{hash}"))
        .await
        .map_err(|error| format!("the code {hash} cannot be fetched: {error:?}"))?;
    if ContentHash::of(&bytes) != hash {
        return Err(format!("the code {hash} came with other bytes"));
    }
    Ok(bytes)
}

/// The kernels of a workflow, where they are wanted and there is one, and the GPU runtime.
///
/// # Errors
/// In words, when one of them cannot be had.
pub(crate) async fn gpu_parts(workflow: Option<ContentHash>, runtime: &str) -> Result<GpuParts, String> {
    let kernels = match workflow {
        Some(workflow) => kernels(workflow).await?,
        None => Vec::new(),
    };
    let runtime = bytes(runtime).await.map_err(|error| format!("no GPU runtime: {error:?}"))?;
    Ok(GpuParts { kernels, runtime })
}

async fn kernels(workflow: ContentHash) -> Result<Vec<SlotKernel>, String> {
    let unavailable = |error: JsValue| format!("the kernels of {workflow} cannot be fetched: {error:?}");
    let mut kernels = Vec::new();
    let files = workflow_view(workflow).await.map_err(unavailable)?.map_or_else(Vec::new, |view| view.files);
    for file in files.into_iter().filter(|file| file.path.ends_with(KERNELS)) {
        let hash = file.hash.parse().map_err(|_| format!("{} has no hash", file.path))?;
        let text = String::from_utf8(code(hash).await?).map_err(|_| format!("{} is not UTF-8", file.path))?;
        kernels.push(SlotKernel { name: file.path, text });
    }
    Ok(kernels)
}

/// None where there is no such workflow.
async fn workflow_view(workflow: ContentHash) -> Result<Option<WorkflowView>, JsValue> {
    let response = get(&format!("/api/v1/workflows/{workflow}")).await?;
    if response.status() == 404 {
        return Ok(None);
    }
    let view = JsFuture::from(good(response)?.json()?).await?;
    Ok(Some(serde_wasm_bindgen::from_value(view)?))
}

async fn bytes(path: &str) -> Result<Vec<u8>, JsValue> {
    let buffer = JsFuture::from(good(get(path).await?)?.array_buffer()?).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

async fn get(path: &str) -> Result<Response, JsValue> {
    JsFuture::from(scope()?.fetch_with_str(path)).await?.dyn_into()
}

fn good(response: Response) -> Result<Response, JsValue> {
    let status = response.status();
    if response.ok() { Ok(response) } else { Err(JsValue::from_str(&format!("status {status}"))) }
}
