//! The recipes of docs/operations.md for Caddy and nginx, before a real server.

use weevil_e2e::hostile::Stranger;
use weevil_e2e::{Certified, Proxy, ProxyKind, TestServer, TlsWay};

const RECIPES: &str = include_str!("../../../docs/operations.md");
const CONSOLE: &str = "console.example";
const COMPUTE: &str = "compute.example";

/// A server, a proxy before it, and ways to that which speak TLS.
struct Site {
    server: TestServer,
    _proxy: Proxy,
    ways: [TlsWay; 2],
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
        let public = server.public_address();
        let certified = Certified::of(&[CONSOLE, COMPUTE]);
        let proxy = kind.start(RECIPES, [&server.address, &public], &certified);
        let ways = [CONSOLE, COMPUTE].map(|name| TlsWay::to(proxy.address, name, certified.authority()));
        Self { server, _proxy: proxy, ways }
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

macro_rules! with_each_recipe {
    ($($body:ident as $test:ident),+) => {
        mod caddy { $(#[test] fn $test() { super::$body(weevil_e2e::ProxyKind::Caddy); })+ }
        mod nginx { $(#[test] fn $test() { super::$body(weevil_e2e::ProxyKind::Nginx); })+ }
    };
}

with_each_recipe!(recipe_shows_each_face_under_its_name as each_face_has_its_name);
