//! The recipes of docs/operations.md for Caddy and nginx, before a real server.

use weevil_api::routes::Operation;
use weevil_e2e::hostile::Stranger;
use weevil_e2e::{Certified, Form, Proxy, ProxyKind, TestServer, TlsWay, shipped};
use weevil_model::limits::MAX_BUNDLE_BYTES;

use super::people::{accept, halves};

const RECIPES: &str = include_str!("../../../docs/operations.md");
const CONSOLE: &str = "console.example";
const COMPUTE: &str = "compute.example";

/// A server, a proxy before it, and ways to that which speak TLS.
struct Site {
    server: TestServer,
    proxy: Proxy,
    ways: [TlsWay; 2],
    /// The link that the server prints.
    first_admin: String,
}

impl Site {
    fn behind(kind: ProxyKind) -> Self {
        let mut server = TestServer::start(&[
            "--url",
            "https://console.example",
            "--public-listen",
            "127.0.0.1:0",
            "--public-url",
            "https://compute.example",
            "--trusted-proxy",
            "127.0.0.1",
        ]);
        let (first_admin, public) = (server.first_admin_link(), server.public_address());
        let certified = Certified::of(&[CONSOLE, COMPUTE]);
        let proxy = kind.start(RECIPES, [&server.address, &public], &certified);
        let ways = [CONSOLE, COMPUTE].map(|name| TlsWay::to(proxy.address, name, certified.authority()));
        Self { server, proxy, ways, first_admin }
    }

    /// Somebody elsewhere who has opened the console's address, and one at the address of volunteers.
    fn visitors(&self) -> [Stranger; 2] {
        let [console, compute] = &self.ways;
        [(console, CONSOLE), (compute, COMPUTE)]
            .map(|(way, name)| Stranger::of(&way.address).with("Host", name))
    }
}

fn recipe_shows_each_face_under_its_name(kind: ProxyKind) {
    let site = Site::behind(kind);
    let [console, compute] = site.visitors();
    for (path, private, public) in [
        ("/healthz", 200, 200),
        ("/", 200, 200),
        ("/console", 200, 404),
        ("/api/v1/runs", 401, 404),
        // As it came: the server itself refuses what a rule of the proxy might read otherwise.
        ("//healthz", 400, 400),
        ("/%68ealthz", 400, 400),
    ] {
        assert_eq!([&console, &compute].map(|visitor| visitor.get(path).status), [private, public], "{path}");
    }
    // Coming from this machine proves nothing behind a proxy, whoever knows the token.
    let token = format!("Bearer {}", site.server.token().expect("a token"));
    assert_eq!(console.with("Authorization", &token).get("/api/v1/runs").code(), "badToken");

    let own = compute.clone().with("Origin", "https://compute.example");
    let foreign = compute.with("Origin", "https://console.example");
    own.join(1);
    assert_eq!(foreign.upgrade().err().flatten().map(|reply| reply.status), Some(403));
}

fn recipe_lets_people_in_and_holds_nothing_up(kind: ProxyKind) {
    let site = Site::behind(kind);
    let [console, _] = site.visitors();
    // What a client says of where it is reaches nobody.
    let console = console.from("203.0.113.9").with("Forwarded", "for=203.0.113.9");
    let made = accept(&console, &site.first_admin, "ada");
    let whole = made.header("set-cookie").expect("a cookie");
    assert!(whole.starts_with("__Host-weevil=") && whole.ends_with("; Secure"), "{whole}");
    let people = halves(&made);
    let console = console.with("Cookie", &people.cookie).with("x-weevil-session-key", &people.key);

    let sessions = console.get(&Operation::ListSessions.path(&[])).text();
    let place = format!("\"place\":\"{}\"", site.proxy.address.ip());
    assert!(sessions.contains(&place), "{sessions}");

    let mut events = console.connect();
    assert!(events.send(&console.head("GET", &Operation::Events.path(&[]), &[])));
    assert!(events.take_until(b"event: ").is_some(), "told while the stream goes on");

    let workflow = shipped("add");
    let others: usize = workflow.iter().map(|(_, bytes)| bytes.len()).sum();
    let ballast = vec![b' '; MAX_BUNDLE_BYTES - others];
    let form = Form::of(&workflow).file("file", "ballast.txt", &ballast).bytes();
    let kept = console.post(&Operation::KeepWorkflow.path(&[]), &Form::content_type(), &form);
    assert_eq!(kept.status, 201, "{}", kept.text());
}

macro_rules! with_each_recipe {
    ($($body:ident as $test:ident),+) => {
        mod caddy { $(#[test] fn $test() { super::$body(weevil_e2e::ProxyKind::Caddy); })+ }
        mod nginx { $(#[test] fn $test() { super::$body(weevil_e2e::ProxyKind::Nginx); })+ }
    };
}

with_each_recipe!(
    recipe_shows_each_face_under_its_name as each_face_has_its_name,
    recipe_lets_people_in_and_holds_nothing_up as people_come_in_and_nothing_is_held_up
);
