//! The door: every route in every spelling from every origin, against one table; and what a web site can do that a browser
//! beside the server visits.

use serde_json::{Value, json};
use weevil_api::routes::Operation;
use weevil_e2e::hostile::{Line, Reply, Stranger};
use weevil_e2e::{Browser, Firefox, TestServer, without_policies};

/// Where a request says that it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Missing,
    Own,
    Foreign,
    Null,
    OtherPort,
}

const ORIGINS: [Origin; 5] = [Origin::Missing, Origin::Own, Origin::Foreign, Origin::Null, Origin::OtherPort];

impl Origin {
    fn header(self, address: &str) -> Option<String> {
        match self {
            Self::Missing => None,
            Self::Own => Some(format!("http://{address}")),
            Self::Foreign => Some("http://evil.example".to_owned()),
            Self::Null => Some("null".to_owned()),
            Self::OtherPort => Some("http://127.0.0.1:1".to_owned()),
        }
    }

    fn is_ours(self) -> bool {
        matches!(self, Self::Missing | Self::Own)
    }
}

/// Not a method but a GET that asks for a WebSocket.
const UPGRADE: &str = "upgrade";
/// The only GET that opens a way to change something.
const SOCKET: &str = "/ws/v1";
const METHODS: [&str; 7] = ["GET", UPGRADE, "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// How a path is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Plain,
    /// In capitals: another path, at which there is nothing.
    Case,
    Odd,
}

/// A path in every spelling of the table.
fn spellings(path: &str) -> Vec<(Spelling, String)> {
    let odd = |at: usize, text: String| format!("{}{text}{}", &path[..at], &path[at + 1..]);
    let letters = path.char_indices().filter(|(_, letter)| letter.is_ascii_alphanumeric());
    let encoded = letters.map(|(at, letter)| odd(at, format!("%{:02x}", u32::from(letter))));
    let slashes = || path.match_indices('/').map(|(at, _)| at);
    let rewritten = slashes()
        .flat_map(|at| ["//", "/./", "/x/../", "%2f", "/%2e/", "\\"].map(|text| odd(at, text.into())));
    let ends = ["/.", "/..", "//", "%00", "%", "%4"].map(|end| format!("{path}{end}"));
    let all = encoded.chain(rewritten.filter(|path| path.starts_with('/'))).chain(ends);
    let plain = [(Spelling::Plain, path.to_owned()), (Spelling::Case, path.to_uppercase())];
    all.map(|path| (Spelling::Odd, path)).chain(plain).collect()
}

/// The operation's path, with something in the place of what varies.
fn path_of(operation: Operation) -> String {
    let path =
        operation.row().path.replace("{run}", "run_0000000000001").replace("{job}", "job_0000000000001");
    let path = path.replace("{project}", "default").replace("{account}", "acc_0000000000001");
    path.replace("{hash}", &"0".repeat(64)).replace("{workflow}", &"0".repeat(64))
}

fn is_row(method: &str, path: &str) -> bool {
    let mut operations = Operation::ALL.into_iter();
    operations.any(|operation| operation.row().method.as_str() == method && path_of(operation) == path)
}

/// Each path of the server once.
fn paths() -> Vec<String> {
    let mut paths: Vec<String> = Operation::ALL.into_iter().map(path_of).collect();
    paths.sort_unstable();
    paths.dedup();
    assert!(paths.len() > 25 && paths.iter().any(|path| path == SOCKET), "{paths:?}");
    paths.extend(["/sandbox.html".to_owned(), "/console".to_owned()]);
    paths
}

/// By which methods, and from where, the spelling of this number is asked for. A path in its own letters by each from everywhere. An odd
/// one by each method, each from the next origin: there are more methods than origins, so that it is asked for from everywhere as
/// well, and after five spellings of a path each method has come from everywhere. That is every pair of the three, in a fifth of the
/// requests.
fn ways(number: usize, spelling: Spelling) -> Vec<(&'static str, Origin)> {
    let from =
        |at: usize| if spelling == Spelling::Odd { &ORIGINS[at % ORIGINS.len()..][..1] } else { &ORIGINS };
    let each = METHODS.iter().enumerate();
    each.flat_map(|(at, method)| from(number + at).iter().map(|origin| (*method, *origin))).collect()
}

/// What is refused, by its code; nothing for what reaches its route.
fn expected(method: &str, path: &str, spelling: Spelling, origin: Origin) -> Option<&'static str> {
    let asked = if method == UPGRADE { "GET" } else { method };
    let row = spelling == Spelling::Plain && is_row(asked, path);
    match (asked, spelling) {
        (_, Spelling::Odd) => Some("badPath"),
        ("OPTIONS", _) => Some("noSuchMethod"),
        _ if row && !origin.is_ours() && (method != "GET" || path == SOCKET) => Some("foreignOrigin"),
        (_, Spelling::Case) => Some("noSuchPage"),
        ("GET", Spelling::Plain) => None,
        _ if row => None,
        _ => Some("noSuchMethod"),
    }
}

/// Asks over one connection for as long as the server leaves it open.
struct Asker {
    stranger: Stranger,
    line: Line,
}

impl Asker {
    fn of(server: &TestServer) -> Self {
        let stranger = server.owner();
        let line = stranger.connect();
        Self { stranger, line }
    }

    /// The code of the refusal; empty where it is no refusal.
    fn ask(&mut self, method: &str, path: &str, origin: Origin) -> String {
        let upgrade = [
            ("Connection", "Upgrade"),
            ("Upgrade", "websocket"),
            ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let origin = origin.header(&self.stranger.address);
        let origin = origin.as_deref().map(|origin| ("Origin", origin));
        let upgrades = method == UPGRADE;
        let (method, headers) = if upgrades { ("GET", &upgrade[..]) } else { (method, &[][..]) };
        let length = [("Content-Length", "0")];
        let headers: Vec<_> = headers.iter().copied().chain(origin).chain(length).collect();
        let head = self.stranger.head(method, path, &headers);
        let reply = self.send(&head).or_else(|| {
            self.line = self.stranger.connect();
            self.send(&head)
        });
        if upgrades {
            // Whoever asks for something else than HTTP is not read as HTTP any more.
            self.line = self.stranger.connect();
        }
        reply.unwrap_or_else(|| panic!("{method} {path} has no answer")).code()
    }

    fn send(&mut self, head: &[u8]) -> Option<Reply> {
        self.line.send(head);
        self.line.reply()
    }
}

/// Nobody is a worker, nothing runs, nothing is paused.
fn assert_untouched(server: &TestServer, what: &str) {
    let queue: Value = server.api().json("/api/v1/queue");
    assert_eq!(server.api().fleet().workers, [], "{what}");
    for (list, empty) in [
        ("/api/v1/runs", json!({ "runs": [], "next": null })),
        ("/api/v1/workflows", json!({ "workflows": [], "next": null })),
    ] {
        assert_eq!(server.api().json::<Value>(list), empty, "{what}: {list}");
    }
    assert_eq!(
        queue,
        json!({ "ready": 0, "leased": 0, "delayed": 0, "held": 0, "pausedSince": null }),
        "{what}"
    );
}

#[test]
fn every_refusal_of_the_table_is_made() {
    let server = TestServer::start(&[]);
    let mut asker = Asker::of(&server);
    let mut rows = 0;
    for path in paths() {
        for (number, (spelling, written)) in spellings(&path).into_iter().enumerate() {
            for (method, origin) in ways(number, spelling) {
                let Some(code) = expected(method, &path, spelling, origin) else { continue };
                assert_eq!(asker.ask(method, &written, origin), code, "{method} {written} from {origin:?}");
                rows += 1;
            }
        }
    }
    assert!(rows > 30_000, "{rows}");
    assert_untouched(&server, "after the whole table");
}

/// Its answer has no words, so that it is known by its status.
#[test]
fn a_head_is_refused_as_odd_and_changes_nothing() {
    let server = TestServer::start(&[]);
    let stranger = Stranger::of(&server.address);
    let foreign = Origin::Foreign.header(&server.address).expect("a site has a name");
    for path in paths().into_iter().filter(|path| !path.ends_with("/events")) {
        for (spelling, written) in spellings(&path) {
            let mut line = stranger.connect();
            line.send(&stranger.head("HEAD", &written, &[("Origin", &foreign), ("Connection", "close")]));
            let head = line.take_until(b"\r\n").unwrap_or_else(|| panic!("{written} has no answer"));
            let refused = head.starts_with(b"HTTP/1.1 400 ");
            assert_eq!(refused, spelling == Spelling::Odd, "{written}: {}", String::from_utf8_lossy(&head));
        }
    }
    assert_untouched(&server, "after every HEAD");
}

/// The other side of the table: nobody is kept out who may come in.
#[test]
fn own_pages_and_programs_reach_every_route() {
    let server = TestServer::start(&[]);
    for (method, path) in
        METHODS.iter().flat_map(|method| paths().into_iter().map(move |path| (*method, path)))
    {
        for origin in
            ORIGINS.into_iter().filter(|origin| expected(method, &path, Spelling::Plain, *origin).is_none())
        {
            // The first have no end, the other ends with its connection, which the server leaves open for a while.
            let streams = path.ends_with("/events") && ["GET", UPGRADE].contains(&method);
            if streams || (method == UPGRADE && path.ends_with("/export")) {
                continue;
            }
            let code = Asker::of(&server).ask(method, &path, origin);
            assert!(
                !["badPath", "foreignOrigin"].contains(&code.as_str()),
                "{method} {path} from {origin:?}: {code}"
            );
        }
    }
}

/// Tries all that a page may try at another origin. Answers which sockets were opened, once the rest is on its way: Firefox
/// shows no problem details in a frame and loads nothing there, so what has arrived the server tells (`assert_shut`).
const SITE: &str = r#"(async (base) => {
    const hello = new Uint8Array([0x82, 0, 0x81, 0x84, 1, 0x64, 0x64, 0x65, 0x6d, 0x6f, 2, 4]);
    const socket = (path) => new Promise((resolve) => {
        const socket = new WebSocket(base.replace("http", "ws") + path);
        socket.onopen = () => socket.send(hello);
        socket.onmessage = () => resolve(path);
        socket.onclose = () => resolve("");
    });
    const paths = ["/ws/v1", "/%77s/v1", "/w%73/v1", "/ws/%761", "/ws/v%31", "//ws/v1", "/ws//v1", "/ws%2fv1", "/.//ws/v1", "/ws\\v1"];
    const opened = (await Promise.all(paths.map(socket))).filter((path) => path !== "");
    const workflow = '<workflow><nodes><value id="v" value="1" returntype="Number"/></nodes><edges/><finalnode id="v"/></workflow>';
    const upload = () => {
        const form = new FormData();
        form.append("file", new File([workflow], "workflow.xml"));
        return form;
    };
    const join = '<join protocol="1" browser_type="evil" slots="1" capabilities="1"/>';
    const ways = [["/api/v1/runs", upload()], ["/api/v1/workflows", upload()], ["/worker/v1/join", join], ["/api/v1/queue/pause", "x"]];
    for (const [path, body] of ways) {
        await fetch(base + path, { method: "POST", mode: "no-cors", body }).catch(() => {});
        await fetch(base + path, { method: "POST", body, headers: { "content-type": "application/xml" } }).catch(() => {});
        navigator.sendBeacon(base + path, body);
        const frame = document.createElement("iframe");
        frame.name = "target" + path;
        const form = Object.assign(document.createElement("form"), { method: "post", action: base + path, target: frame.name });
        const area = Object.assign(document.createElement("textarea"), { name: "file", value: workflow });
        form.append(area);
        document.body.append(frame, form);
        form.submit();
    }
    return opened;
})"#;

/// Requests of the page for each of its addresses but the socket's that arrive: `fetch` twice, the second time as a
/// question whether it may ask, a beacon, a form.
const ARRIVE: f64 = 4.0;

fn assert_shut(server: &TestServer, opened: &Value, what: &str) {
    assert_eq!(*opened, json!([]), "{what}: sockets");
    for route in ["/api/v1/runs", "/api/v1/workflows", "/worker/v1/join", "/api/v1/queue/pause"] {
        let refused = format!("weevil_http_requests_total{{route=\"{route}\",status=\"4xx\"}}");
        server.api().await_metric(&refused, ARRIVE);
    }
    assert_untouched(server, what);
}

/// Names of the other site, each with a port of its own: the same host as far as cookies go, and another one.
const SITES: [&str; 2] = ["127.0.0.1", "localhost"];

#[test]
fn a_foreign_page_in_chromium_opens_and_changes_nothing() {
    let browser = Browser::start();
    for site in SITES {
        let (server, elsewhere) = (TestServer::start(&[]), TestServer::start(&[]));
        let page = without_policies(&elsewhere.address).replace("127.0.0.1", site);
        let page = browser.open(&format!("http://{page}/healthz"));
        assert_shut(&server, &page.eval(&format!("{SITE}('{}')", server.url(""))), site);
    }
}

#[test]
fn a_foreign_page_in_firefox_opens_and_changes_nothing() {
    let firefox = Firefox::start();
    for site in SITES {
        let (server, elsewhere) = (TestServer::start(&[]), TestServer::start(&[]));
        let page = without_policies(&elsewhere.address).replace("127.0.0.1", site);
        let page = firefox.open(&format!("http://{page}/healthz"));
        assert_shut(&server, &page.eval(&format!("{SITE}('{}')", server.url(""))), site);
    }
}
