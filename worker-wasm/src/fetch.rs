//! What the coordinator asks of the server over HTTP: code, kernels, the GPU runtime. Checks what has a hash.

use js_sys::{Function, Uint8Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, RequestInit, Response};
use weevil_model::ContentHash;
use weevil_protocol::slot::SlotKernel;
use weevil_protocol::{BLOBS_PATH, KERNELS_PATH};

use crate::code::GpuParts;
use crate::shell::scope;

/// A browser keeps at most so many connections to a server. Each may be one on which everything vanishes, which ends with
/// the try that met it; after them comes a new one.
const OLD_CONNECTIONS: u32 = 6;
/// Milliseconds in which an answer begins over a connection that is alive,
const BEGINS_MS: i32 = 4_000;
/// and over whatever there is.
const LAST_TRY_MS: i32 = 60_000;

/// The kernels of a workflow, as the server lists them.
#[derive(Deserialize)]
struct KernelList {
    kernels: Vec<Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    name: String,
    hash: String,
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(handler: &Function, ms: i32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(timer: &JsValue);
}

/// The bytes with this hash.
///
/// # Errors
/// In words, when they cannot be had.
pub(crate) async fn code(hash: ContentHash) -> Result<Vec<u8>, String> {
    let bytes = bytes(&format!("{BLOBS_PATH}/{hash}"))
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
    for Kernel { name, hash } in listed(workflow).await.map_err(unavailable)? {
        let hash = hash.parse().map_err(|_| format!("{name} has no hash"))?;
        let text = String::from_utf8(code(hash).await?).map_err(|_| format!("{name} is not UTF-8"))?;
        kernels.push(SlotKernel { name, text });
    }
    Ok(kernels)
}

/// Empty where there is no such workflow: a stand-alone job brings no kernels.
async fn listed(workflow: ContentHash) -> Result<Vec<Kernel>, JsValue> {
    let response = get(&format!("{KERNELS_PATH}/{workflow}")).await?;
    if response.status() == 404 {
        return Ok(Vec::new());
    }
    let list: KernelList = serde_wasm_bindgen::from_value(JsFuture::from(good(response)?.json()?).await?)?;
    Ok(list.kernels)
}

async fn bytes(path: &str) -> Result<Vec<u8>, JsValue> {
    let buffer = JsFuture::from(good(get(path).await?)?.array_buffer()?).await?;
    Ok(Uint8Array::new(&buffer).to_vec())
}

async fn get(path: &str) -> Result<Response, JsValue> {
    for _ in 0..OLD_CONNECTIONS {
        if let Some(answer) = get_within(path, BEGINS_MS).await? {
            return Ok(answer);
        }
    }
    get_within(path, LAST_TRY_MS).await?.ok_or_else(|| JsValue::from_str("nothing is answered"))
}

/// `None` where no answer has begun in time; a long one may take longer to end.
async fn get_within(path: &str, ms: i32) -> Result<Option<Response>, JsValue> {
    let controller = AbortController::new()?;
    let (signal, init) = (controller.signal(), RequestInit::new());
    init.set_signal(Some(&signal));
    let give_up = Closure::<dyn FnMut()>::new(move || controller.abort());
    let timer = set_timeout(give_up.as_ref().unchecked_ref(), ms);
    let answer = JsFuture::from(scope()?.fetch_with_str_and_init(path, &init)).await;
    clear_timeout(&timer);
    if signal.aborted() {
        return Ok(None);
    }
    answer?.dyn_into().map(Some)
}

fn good(response: Response) -> Result<Response, JsValue> {
    let status = response.status();
    if response.ok() { Ok(response) } else { Err(JsValue::from_str(&format!("status {status}"))) }
}
