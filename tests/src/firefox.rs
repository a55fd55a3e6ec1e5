//! A real Firefox with a fresh profile, driven by `WebDriver` `BiDi` without a driver in between.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::browser::{Home, until};
use crate::cdp::Cdp;

/// Quiet on the network, and awake in the background.
const PREFERENCES: &str = r#"
user_pref("app.update.disabledForTesting", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("remote.active-protocols", 1);
"#;

/// Ends, by its process id, when dropped.
#[derive(Debug)]
pub struct Firefox {
    child: Child,
    _profile: TempDir,
    wire: Mutex<Cdp>,
}

/// One tab.
#[derive(Debug)]
pub struct FirefoxPage<'f> {
    firefox: &'f Firefox,
    context: String,
}

impl Firefox {
    pub fn start() -> Self {
        Self::begin(&mut Command::new("firefox-esr"), "")
    }

    /// The browser of a volunteer who is at home there.
    pub fn at_home(home: Home) -> Self {
        let languages = format!("user_pref(\"intl.accept_languages\", \"{}\");\n", home.language);
        Self::begin(Command::new("firefox-esr").env("TZ", home.zone), &languages)
    }

    fn begin(command: &mut Command, more: &str) -> Self {
        let profile = TempDir::new().expect("a temporary folder can be made");
        let preferences = format!("{PREFERENCES}{more}");
        std::fs::write(profile.path().join("user.js"), preferences).expect("the profile can be written");
        let mut child = command
            .args(["--headless", "--no-remote", "--remote-debugging-port=0", "--profile"])
            .arg(profile.path())
            .env("HOME", profile.path())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| {
                panic!("firefox-esr cannot be started ({error}): run `cargo xtask setup`")
            });
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.strip_prefix("WebDriver BiDi listening on ws://127.0.0.1:").map(str::to_owned)
            })
            .expect("Firefox says where it listens");
        // Nobody reads on; a full pipe would stop the browser.
        std::thread::spawn(move || lines.for_each(drop));
        let mut wire = Cdp::connect(port.parse().expect("a port"), "/session");
        wire.call(None, "session.new", &json!({ "capabilities": {} }));
        Self { child, _profile: profile, wire: Mutex::new(wire) }
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        self.wire.lock().unwrap_or_else(PoisonError::into_inner).call(None, method, params)
    }

    pub fn open(&self, url: &str) -> FirefoxPage<'_> {
        let created = self.call("browsingContext.create", &json!({ "type": "tab" }));
        let context = created["context"].as_str().expect("a context").to_owned();
        let navigate = json!({ "context": context, "url": url, "wait": "interactive" });
        self.call("browsingContext.navigate", &navigate);
        FirefoxPage { firefox: self, context }
    }
}

impl Drop for Firefox {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl FirefoxPage<'_> {
    /// Evaluates an expression; a promise is awaited. What JSON cannot hold is lost.
    pub fn eval(&self, expression: &str) -> Value {
        let params = json!({
            "expression": format!("Promise.resolve({expression}).then((value) => JSON.stringify([value]))"),
            "target": { "context": self.context },
            "awaitPromise": true,
        });
        let answer = self.firefox.call("script.evaluate", &params);
        let text = answer["result"]["value"].as_str();
        let text = text.unwrap_or_else(|| panic!("{expression}: {}", answer["exceptionDetails"]));
        let mut one: Vec<Value> = serde_json::from_str(text).expect("JSON is JSON");
        one.remove(0)
    }

    /// Waits until an expression is true, looking whenever the document changes.
    pub fn wait_for(&self, expression: &str) {
        assert_eq!(
            self.eval(&until(expression)),
            json!(true),
            "never came true: {expression}; the page: {}",
            self.eval("document.body.innerText")
        );
    }
}
