//! A real Chromium with a fresh profile, on the software adapter.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::PATIENCE;
use crate::cdp::Cdp;

/// What every browser of the project is started with; the runner of the worker's tests reads the same file.
const WEBDRIVER: &str = include_str!("../../worker-wasm/webdriver.json");
const OWN_FLAGS: [&str; 3] = ["--remote-debugging-port=0", "--window-size=1200,900", "--no-startup-window"];

/// What Chromium says of an expression whose document was left before it had a value.
const LEFT: [&str; 3] =
    ["Inspected target navigated", "Execution context was destroyed", "Cannot find context"];

/// As people see a page: nothing is on its way from one colour to another any more, and what has come into sight is drawn, which
/// takes a frame to find and another one to draw. A page behind another one has no frames.
const DRAWN: &str = "new Promise((drawn) => {
    document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish());
    const next = (then) => document.hidden ? then() : requestAnimationFrame(then);
    next(() => next(() => setTimeout(drawn)));
})";

fn flags() -> Vec<String> {
    let options: Value = serde_json::from_str(WEBDRIVER).expect("webdriver.json is JSON");
    let shared = options["goog:chromeOptions"]["args"].as_array().expect("webdriver.json has args");
    let shared = shared.iter().filter_map(Value::as_str).chain(OWN_FLAGS);
    shared.map(str::to_owned).collect()
}

/// A promise of true once `expression` is, looking whenever the document or its address changes, and of false after a while. An
/// address that a page writes by itself changes nothing of the document.
pub(crate) fn until(expression: &str) -> String {
    let ms = PATIENCE.as_millis() - 1_000;
    format!(
        "new Promise((resolve) => {{
            const look = () => {{ let seen = false; try {{ seen = !!({expression}); }} catch {{}} if (seen) {{ done(true); }} }};
            const observer = new MutationObserver(look);
            const address = globalThis.navigation;
            const done = (seen) => {{
                observer.disconnect();
                address?.removeEventListener('currententrychange', look);
                clearTimeout(timer);
                resolve(seen);
            }};
            const timer = setTimeout(() => done(false), {ms});
            observer.observe(document, {{ attributes: true, childList: true, subtree: true, characterData: true }});
            address?.addEventListener('currententrychange', look);
            look();
        }})"
    )
}

/// axe-core, which leaves itself as `axe`, and nothing to answer.
fn axe() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/node_modules/axe-core/axe.min.js");
    let script = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{} ({error}): run `cargo xtask setup`", path.display()));
    script + "\n0"
}

/// Where a volunteer is at home.
#[derive(Debug, Clone, Copy)]
pub struct Home {
    /// As the tz database calls it.
    pub zone: &'static str,
    /// A language tag.
    pub language: &'static str,
}

/// Ends, by its process id, when dropped.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    _profile: TempDir,
    cdp: Mutex<Cdp>,
}

/// One tab.
#[derive(Debug)]
pub struct Page<'b> {
    browser: &'b Browser,
    session: String,
    target: String,
}

impl Browser {
    pub fn start() -> Self {
        Self::begin(&mut Command::new("chromium"))
    }

    /// The browser of a volunteer who is at home there.
    pub fn at_home(home: Home) -> Self {
        let language = format!("--lang={}", home.language);
        Self::begin(
            Command::new("chromium").env("TZ", home.zone).env("LANGUAGE", home.language).arg(language),
        )
    }

    fn begin(command: &mut Command) -> Self {
        let profile = TempDir::new().expect("a temporary folder can be made");
        let mut child = command
            .args(flags())
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromium cannot be started ({error}): run `cargo xtask setup`"));
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let endpoint = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ws://127.0.0.1:").map(str::to_owned))
            .expect("chromium says where it listens");
        // Nobody reads on; a full pipe would stop the browser.
        std::thread::spawn(move || lines.for_each(drop));
        let (port, path) = endpoint.split_once('/').expect("a port and a path");
        let cdp = Cdp::connect(port.parse().expect("a port"), &format!("/{path}"));
        Self { child, _profile: profile, cdp: Mutex::new(cdp) }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    fn cdp(&self) -> MutexGuard<'_, Cdp> {
        self.cdp.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn attach(&self, target: &str) -> String {
        let attach = json!({ "targetId": target, "flatten": true });
        let attached = self.cdp().call(None, "Target.attachToTarget", &attach);
        attached["sessionId"].as_str().expect("a session").to_owned()
    }

    pub fn open(&self, url: &str) -> Page<'_> {
        self.open_with(url, "")
    }

    /// Opens a page whose every document runs `script` before its own.
    pub fn open_with(&self, url: &str, script: &str) -> Page<'_> {
        let target = self.cdp().call(None, "Target.createTarget", &json!({ "url": "about:blank" }));
        let target = target["targetId"].as_str().expect("a target").to_owned();
        let session = self.attach(&target);
        let page = Page { browser: self, session, target };
        if !script.is_empty() {
            page.call("Page.enable", &json!({}));
            page.call("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
        }
        // Answers once the new document is there: what is evaluated next belongs to it.
        page.call("Page.navigate", &json!({ "url": url }));
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have ended already.
        let _ended = self.child.kill();
        let _reaped = self.child.wait();
    }
}

impl Page<'_> {
    pub fn call(&self, method: &str, params: &Value) -> Value {
        self.browser.cdp().call(Some(&self.session), method, params)
    }

    /// Evaluates an expression; a promise is awaited.
    pub fn eval(&self, expression: &str) -> Value {
        self.try_eval(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    fn try_eval(&self, expression: &str) -> Result<Value, String> {
        let params = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.browser.cdp().try_call(Some(&self.session), "Runtime.evaluate", &params)?;
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression is true, looking whenever the document or its address changes, and in the next one where the page loads
    /// itself anew.
    pub fn wait_for(&self, expression: &str) {
        let seen = loop {
            match self.try_eval(&until(expression)) {
                Err(error) if LEFT.iter().any(|left| error.contains(left)) => {}
                seen => break seen.unwrap_or_else(|error| panic!("{expression}: {error}")),
            }
        };
        assert_eq!(
            seen,
            json!(true),
            "never came true: {expression}; the page: {}",
            self.eval("document.body.innerText")
        );
    }

    /// Waits until nothing runs here any more, and answers how many jobs this page has done.
    pub fn settled(&self) -> u32 {
        self.wait_for(
            "['waiting', 'paused', 'stopped', 'elsewhere'].includes(document.documentElement.dataset.state)",
        );
        let done = self.eval("Number(document.documentElement.dataset.done)");
        done.as_u64().and_then(|done| done.try_into().ok()).expect("a count")
    }

    /// Clicks the first element that a selector finds.
    pub fn click(&self, selector: &str) {
        self.wait_for(&format!(
            "document.querySelector('{selector}') && !document.querySelector('{selector}').disabled"
        ));
        self.eval(&format!("document.querySelector('{selector}').click()"));
    }

    /// Chooses files in a file input.
    pub fn choose(&self, selector: &str, paths: &[&str]) {
        let document = self.call("DOM.getDocument", &json!({}));
        let query = json!({ "nodeId": document["root"]["nodeId"], "selector": selector });
        let node = self.call("DOM.querySelector", &query);
        self.call("DOM.setFileInputFiles", &json!({ "nodeId": node["nodeId"], "files": paths }));
    }

    /// As `save_bytes`, for a text.
    pub fn save(&self, selector: &str, name: &str) -> String {
        String::from_utf8(self.save_bytes(selector, name)).expect("a text")
    }

    /// Clicks what saves a file with something in it under this name, and reads that.
    pub fn save_bytes(&self, selector: &str, name: &str) -> Vec<u8> {
        let folder = TempDir::new().expect("a temporary folder");
        let allow = json!({ "behavior": "allow", "downloadPath": folder.path() });
        self.browser.cdp().call(None, "Browser.setDownloadBehavior", &allow);
        self.click(selector);
        let deadline = Instant::now() + PATIENCE;
        loop {
            // It has this name once all of it is there.
            match std::fs::read(folder.path().join(name)) {
                Ok(bytes) if !bytes.is_empty() => return bytes,
                _ => assert!(Instant::now() < deadline, "{name} is not saved"),
            }
            self.eval("new Promise((resolve) => setTimeout(resolve))");
        }
    }

    /// Keeps a PNG of the whole page in `target/pages`, for people to look at.
    pub fn keep_picture(&self, name: &str) {
        // Hundreds are made and few are looked at: quick before small.
        let bytes = self.captured(&json!({ "captureBeyondViewport": true, "optimizeForSpeed": true }));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/pages");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        std::fs::write(folder.join(format!("{name}.png")), bytes).expect("a picture can be written");
    }

    /// What the screen shows, as a PNG.
    pub fn picture(&self) -> Vec<u8> {
        self.captured(&json!({}))
    }

    fn captured(&self, options: &Value) -> Vec<u8> {
        let picture = self.call("Page.captureScreenshot", options);
        STANDARD.decode(picture["data"].as_str().expect("a picture")).expect("base 64")
    }

    /// The page as it is printed on A4, as a PDF.
    pub fn printed(&self) -> Vec<u8> {
        let options = json!({ "paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true });
        let document = self.call("Page.printToPDF", &options);
        STANDARD.decode(document["data"].as_str().expect("a document")).expect("base 64")
    }

    /// What axe-core finds wrong for people with disabilities: rule and elements. The frame of the jobs shows nothing.
    pub fn barriers(&self) -> Vec<String> {
        self.found_by_axe("")
    }

    /// As `barriers`, by the rules of colours alone: for a page that was looked at in other colours.
    pub fn colour_barriers(&self) -> Vec<String> {
        self.found_by_axe("runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }, ")
    }

    fn found_by_axe(&self, options: &str) -> Vec<String> {
        // Half a megabyte of script, once for each document.
        if self.eval("!globalThis.axe") == json!(true) {
            self.eval(&axe());
        }
        self.eval(DRAWN);
        let found = self.eval(&format!(
            "axe.run(document, {{ {options}iframes: false, resultTypes: ['violations'] }}).then(({{ violations }}) =>
                violations.map(({{ id, nodes }}) => id + ': ' + nodes.map((node) => node.html).join(' ')))"
        ));
        serde_json::from_value(found).expect("a list of texts")
    }

    /// Kills the processes of the frames in it that have one of their own. Answers how many there were.
    pub fn crash_frames(&self) -> usize {
        let targets = self.call("Target.getTargets", &json!({}))["targetInfos"].clone();
        let inside =
            |target: &&Value| target["type"] == "iframe" && target["parentId"] == self.target.as_str();
        let frames = targets.as_array().into_iter().flatten().filter(inside);
        let ids = frames.filter_map(|frame| frame["targetId"].as_str());
        let crash = |id: &str| {
            let session = self.browser.attach(id);
            self.browser.cdp().tell(Some(&session), "Page.crash", &json!({}));
        };
        ids.map(crash).count()
    }

    pub fn close(self) {
        self.browser.cdp().call(None, "Target.closeTarget", &json!({ "targetId": self.target }));
    }
}
