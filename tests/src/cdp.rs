//! The Chrome `DevTools` Protocol, as far as the tests need it: one request, one answer. Not a driver.
//! `WebDriver` `BiDi` looks the same, but for having no sessions in its requests.

use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::client::client;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

/// For one answer: axe-core looks at a long page for minutes where other browsers want the processor too.
const PATIENCE: Duration = Duration::from_mins(5);

#[derive(Debug)]
pub(crate) struct Cdp {
    socket: WebSocket<TcpStream>,
    next: u64,
}

impl Cdp {
    pub(crate) fn connect(port: u16, path: &str) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the browser listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket has time-outs");
        let (mut socket, _) =
            client(format!("ws://127.0.0.1:{port}{path}"), stream).expect("the browser answers");
        // Screenshots are large.
        socket.set_config(|config| {
            *config = WebSocketConfig::default().max_frame_size(None).max_message_size(None);
        });
        Self { socket, next: 0 }
    }

    pub(crate) fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.try_call(session, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// What the browser refuses is told by its message. Events and answers to nobody are passed over.
    pub(crate) fn try_call(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Result<Value, String> {
        self.tell(session, method, params);
        loop {
            let message =
                self.socket.read().unwrap_or_else(|error| panic!("{method} is not answered: {error}"));
            let Ok(answer) = serde_json::from_str::<Value>(&message.into_text().unwrap_or_default()) else {
                continue;
            };
            if answer["id"] == self.next {
                let error = &answer["error"];
                return if error.is_null() { Ok(answer["result"].clone()) } else { Err(error.to_string()) };
            }
        }
    }

    /// Asks for what may leave nobody to answer.
    pub(crate) fn tell(&mut self, session: Option<&str>, method: &str, params: &Value) {
        self.next += 1;
        let mut request = json!({ "id": self.next, "method": method, "params": params });
        if let Some(session) = session {
            request["sessionId"] = json!(session);
        }
        self.socket.send(Message::text(request.to_string())).expect("the browser reads");
    }
}
