//! Does what the coordinator decides: one socket, one timer, one port per job worker. Decides nothing itself.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use js_sys::{ArrayBuffer, Function, Promise, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{BinaryType, MessageEvent, MessagePort, WebSocket, WorkerGlobalScope};
use weevil_model::ContentHash;
use weevil_protocol::frame::{Identity, KeyKind, ServerFrame, Token};
use weevil_protocol::page::{PageCommand, PageEvent};
use weevil_protocol::slot::SlotReport;

use crate::bounds::is_readable;
use crate::clock::Clock;
use crate::coordinator::{Effect, Event, State};
use crate::{fetch, transfer};

/// How often the coordinator looks at the clock, in milliseconds.
const TICK_MS: i32 = 100;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setInterval)]
    fn set_interval(handler: &Function, ms: i32) -> JsValue;
}

/// The coordinator, for the page's Web Worker.
#[wasm_bindgen]
#[expect(missing_debug_implementations, reason = "a handle for JavaScript")]
pub struct Coordinator {
    shell: Rc<Shell>,
}

struct Shell {
    state: RefCell<State>,
    clock: RefCell<Clock>,
    on_event: Function,
    sign: Function,
    gpu_url: String,
    socket: RefCell<Option<Socket>>,
    /// By the generation of the job worker.
    ports: RefCell<HashMap<u32, Port>>,
}

struct Socket {
    socket: WebSocket,
    /// Kept alive as long as the socket may call them.
    _handlers: [Closure<dyn FnMut(MessageEvent)>; 3],
}

struct Port {
    port: MessagePort,
    _handler: Closure<dyn FnMut(MessageEvent)>,
}

#[wasm_bindgen]
impl Coordinator {
    /// `on_event` is called with every `PageEvent`; `sign` with bytes, and promises the device's key and signature, or
    /// nothing. The GPU runtime is at `gpu_url`.
    #[wasm_bindgen(constructor)]
    pub fn new(on_event: Function, sign: Function, gpu_url: String) -> Self {
        let shell = Rc::new(Shell {
            state: RefCell::new(State::new()),
            clock: RefCell::default(),
            on_event,
            sign,
            gpu_url,
            socket: RefCell::new(None),
            ports: RefCell::new(HashMap::new()),
        });
        let ticking = shell.clone();
        let tick = Closure::<dyn FnMut()>::new(move || ticking.handle(Event::Tick));
        set_interval(tick.as_ref().unchecked_ref(), TICK_MS);
        // The timer lives as long as the Web Worker.
        tick.forget();
        Self { shell }
    }

    /// Takes a `PageCommand`; `port` comes with `slotPort`.
    ///
    /// # Errors
    /// When `command` is not a `PageCommand`.
    pub fn command(&self, command: JsValue, port: Option<MessagePort>) -> Result<(), JsValue> {
        let command: PageCommand = serde_wasm_bindgen::from_value(command)?;
        if let (PageCommand::SlotPort { slot, generation }, Some(port)) = (&command, port) {
            self.shell.clone().listen(*slot, *generation, port);
        }
        self.shell.handle(Event::Command(command));
        Ok(())
    }
}

impl Shell {
    fn handle(self: &Rc<Self>, event: Event) {
        let now = self.clock.borrow_mut().read(fine_now(), js_sys::Date::now());
        let effects = self.state.borrow_mut().handle(event, now);
        for effect in effects {
            self.carry_out(effect);
        }
    }

    fn carry_out(self: &Rc<Self>, effect: Effect) {
        match effect {
            Effect::Connect { url } => self.connect(&url),
            Effect::Disconnect => self.disconnect(),
            Effect::Send(frame) => {
                if let Some(open) = self.socket.borrow().as_ref() {
                    // A socket that closes says so by itself.
                    let _closing = open.socket.send_with_u8_array(&frame.encode());
                }
            }
            Effect::Sign(text) => self.sign(&text),
            Effect::FetchCode { code, hash } => self.fetch(code, ContentHash::from_bytes(hash)),
            Effect::FetchKernels { code, workflow } => {
                self.fetch_kernels(code, workflow.map(ContentHash::from_bytes));
            }
            Effect::ToSlot { generation, command } => {
                if let Some(open) = self.ports.borrow().get(&generation) {
                    let message = to_js(&command);
                    let large = transfer::buffers(&command, &message);
                    let _terminated = open.port.post_message_with_transferable(&message, &large);
                }
            }
            Effect::ToPage(event) => {
                if let PageEvent::CloseSlot { generation, .. } = event {
                    self.unlisten(generation);
                }
                let _unheard = self.on_event.call1(&JsValue::NULL, &to_js(&event));
            }
        }
    }

    fn connect(self: &Rc<Self>, url: &str) {
        let Ok(socket) = WebSocket::new(url) else { return self.later(Event::Disconnected) };
        socket.set_binary_type(BinaryType::Arraybuffer);
        let opened = self.handler(|_| Some(Event::Connected));
        let message = self.handler(|event| frame(&event).map(Event::Frame));
        let closed = self.handler(|_| Some(Event::Disconnected));
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        self.socket.replace(Some(Socket { socket, _handlers: [opened, message, closed] }));
    }

    fn disconnect(&self) {
        if let Some(open) = self.socket.take() {
            for unset in [WebSocket::set_onopen, WebSocket::set_onmessage, WebSocket::set_onclose] {
                unset(&open.socket, None);
            }
            let _closed = open.socket.close();
        }
    }

    fn handler(
        self: &Rc<Self>,
        event: impl Fn(MessageEvent) -> Option<Event> + 'static,
    ) -> Closure<dyn FnMut(MessageEvent)> {
        let shell = self.clone();
        Closure::new(move |message| {
            if let Some(event) = event(message) {
                shell.handle(event);
            }
        })
    }

    /// Never inside another event: the state is busy until its effects are carried out.
    fn later(self: &Rc<Self>, event: Event) {
        let shell = self.clone();
        spawn_local(async move { shell.handle(event) });
    }

    fn listen(self: Rc<Self>, slot: u32, generation: u32, port: MessagePort) {
        if !self.state.borrow().awaits(generation) {
            return port.close();
        }
        let handler = self.handler(move |message| {
            Some(match report(&message.data()) {
                Some(report) => Event::Report { slot, generation, report },
                None => Event::Nonsense { slot, generation },
            })
        });
        port.set_onmessage(Some(handler.as_ref().unchecked_ref()));
        self.ports.borrow_mut().insert(generation, Port { port, _handler: handler });
    }

    /// What is on its way over the port is never heard.
    fn unlisten(&self, generation: u32) {
        if let Some(old) = self.ports.borrow_mut().remove(&generation) {
            old.port.set_onmessage(None);
            old.port.close();
        }
    }

    fn sign(self: &Rc<Self>, text: &[u8]) {
        let asked = self.sign.call1(&JsValue::NULL, &Uint8Array::from(text));
        let Some(promise) = asked.ok().and_then(|asked| asked.dyn_into::<Promise>().ok()) else { return };
        let shell = self.clone();
        spawn_local(async move {
            if let Some(identity) = JsFuture::from(promise).await.ok().and_then(|signed| identity(&signed)) {
                shell.handle(Event::Signed(identity));
            }
        });
    }

    fn fetch(self: &Rc<Self>, code: u32, hash: ContentHash) {
        let shell = self.clone();
        spawn_local(async move {
            let bytes = fetch::code(hash).await;
            shell.handle(Event::Code { code, bytes });
        });
    }

    fn fetch_kernels(self: &Rc<Self>, code: u32, workflow: Option<ContentHash>) {
        let shell = self.clone();
        spawn_local(async move {
            let parts = fetch::gpu_parts(workflow, &shell.gpu_url).await;
            shell.handle(Event::Kernels { code, parts });
        });
    }
}

/// What `device.ts` answers; `None` where the device has no key.
fn identity(signed: &JsValue) -> Option<Identity> {
    let get = |name: &str| Reflect::get(signed, &name.into()).ok();
    let bytes = |name: &str| Some(get(name)?.dyn_into::<Uint8Array>().ok()?.to_vec().into());
    let kind = if get("p256")?.as_bool()? { KeyKind::P256 } else { KeyKind::Ed25519 };
    let token = get("token").and_then(|token| token.as_string()).map(Token);
    Some(Identity { kind, key: bytes("key")?, signature: bytes("signature")?, token })
}

/// A stranger's code may have taken a job worker over: what is too large is not even read.
fn report(message: &JsValue) -> Option<SlotReport> {
    if !is_readable(message) {
        return None;
    }
    serde_wasm_bindgen::from_value(message.clone()).ok()
}

/// A stranger's server may send anything: what is no frame is not heard.
fn frame(event: &MessageEvent) -> Option<ServerFrame> {
    let buffer: ArrayBuffer = event.data().dyn_into().ok()?;
    ServerFrame::decode(&Uint8Array::new(&buffer).to_vec()).ok()
}

pub(crate) fn scope() -> Result<WorkerGlobalScope, JsValue> {
    js_sys::global().dyn_into().map_err(Into::into)
}

/// Milliseconds of a clock that only grows while the machine is awake.
fn fine_now() -> f64 {
    scope().ok().and_then(|scope| scope.performance()).map_or_else(js_sys::Date::now, |clock| clock.now())
}

/// As the generated TypeScript types say: absent values are `null`, bytes are `Uint8Array`.
fn to_js(message: &impl Serialize) -> JsValue {
    let serializer =
        serde_wasm_bindgen::Serializer::new().serialize_missing_as_null(true).serialize_maps_as_objects(true);
    message.serialize(&serializer).unwrap_or(JsValue::NULL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
    use weevil_protocol::slot::{SlotCommand, SlotJob};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    fn get(value: &JsValue, name: &str) -> JsValue {
        js_sys::Reflect::get(value, &name.into()).unwrap()
    }

    #[wasm_bindgen_test]
    fn slot_commands_look_as_their_types_say() {
        let job = SlotJob { seq: 7, code: 0, input: vec![0x80], seed: [1, u32::MAX], deterministic: None };
        let command = to_js(&SlotCommand::Jobs { jobs: vec![job], max_value_bytes: 9 });
        assert_eq!(get(&command, "kind"), "jobs");
        assert_eq!(get(&command, "maxValueBytes"), 9);
        let job = js_sys::Array::from(&get(&command, "jobs")).get(0);
        assert!(get(&job, "input").is_instance_of::<Uint8Array>());
        assert_eq!(js_sys::Array::from(&get(&job, "seed")).get(1), u32::MAX);
    }

    #[wasm_bindgen_test]
    fn slot_reports_are_read_as_job_workers_send_them() {
        let report = js_sys::JSON::parse(
            r#"{"kind":"results","results":[{"seq":1,"error":{"kind":"thrown","message":"m","stack":"s"},"computeUs":1.5,"flops":2}]}"#,
        );
        let report: SlotReport = serde_wasm_bindgen::from_value(report.unwrap()).unwrap();
        assert!(
            matches!(&report, SlotReport::Results { results } if results[0].error.is_some()),
            "{report:?}"
        );
        let report = js_sys::JSON::parse(r#"{"kind":"progress","seq":7,"done":1}"#).unwrap();
        let report: SlotReport = serde_wasm_bindgen::from_value(report).unwrap();
        assert_eq!(report, SlotReport::Progress { seq: 7, done: 1.0 });
        let report = js_sys::JSON::parse(r#"{"kind":"leftOut","seq":7,"lines":9999900}"#).unwrap();
        let report: SlotReport = serde_wasm_bindgen::from_value(report).unwrap();
        assert_eq!(report, SlotReport::LeftOut { seq: 7, lines: 9_999_900 });
    }

    fn recorded() -> (Coordinator, js_sys::Array) {
        let events = js_sys::Array::new();
        let push = js_sys::Function::new_with_args("event", "this.push(event)");
        let nobody = js_sys::Function::new_no_args("");
        (Coordinator::new(push.bind0(&events), nobody, String::new()), events)
    }

    #[wasm_bindgen_test]
    fn start_opens_slots_and_a_socket_and_says_so() {
        let (coordinator, events) = recorded();
        let start =
            js_sys::JSON::parse(r#"{"kind":"start","origin":"ws://127.0.0.1:9","agent":"t","slots":2}"#);
        coordinator.command(start.unwrap(), None).unwrap();
        let kinds: Vec<String> = events.iter().filter_map(|event| get(&event, "kind").as_string()).collect();
        assert_eq!(kinds, ["openSlot", "openSlot", "status"]);
        assert_eq!(get(&events.get(2), "state"), "connecting");
        assert!(get(&events.get(2), "workflow").is_null());
    }

    #[wasm_bindgen_test]
    fn what_is_no_command_is_an_error() {
        let (coordinator, _) = recorded();
        assert!(coordinator.command(JsValue::from_str("start"), None).is_err());
    }
}
