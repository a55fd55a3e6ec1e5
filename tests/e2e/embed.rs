//! The card for other sites: another site shows it, a person starts it, nobody else does.

use serde_json::{Value, json};
use weevil_e2e::{Browser, TestServer, shipped, without_policies};

use crate::looks::light;
use crate::volunteer_looks::look;

#[test]
fn the_policy_is_json_that_anybody_may_read() {
    let server = TestServer::start(&[]);
    let response = server.api().get("/.well-known/compute-policy.json");
    assert_eq!(response.headers()["access-control-allow-origin"], "*");
    let policy: Value = serde_json::from_str(&response.into_body().read_to_string().unwrap()).unwrap();
    assert_eq!(policy["version"], 1);
    for field in ["operator", "purpose", "start", "stop", "uses", "sandbox", "stores", "identifies"] {
        assert!(!policy[field].is_null(), "{field}");
    }
}

/// The element with this id, in a frame or not.
fn find<'t>(node: &'t Value, id: &str) -> Option<&'t Value> {
    let attributes = node["attributes"].as_array().into_iter().flatten();
    if attributes.collect::<Vec<_>>().chunks(2).any(|pair| *pair == ["id", id]) {
        return Some(&node["backendNodeId"]);
    }
    let children = node["children"].as_array().into_iter().flatten();
    children.chain([&node["contentDocument"]]).filter(|node| node.is_object()).find_map(|node| find(node, id))
}

#[test]
fn another_site_shows_it_and_only_a_person_starts_it() {
    let (server, elsewhere) = (TestServer::start(&[]), TestServer::start(&[]));
    let browser = Browser::start();
    let host = browser.open(&format!("http://{}/healthz", without_policies(&elsewhere.address)));
    let frame = server.url("/embed?autostart&slots=4");
    host.eval(&format!(
        "new Promise((loaded) => {{
            const frame = document.createElement('iframe');
            frame.style = 'position:fixed;left:0;top:0;width:500px;height:300px;border:0;margin:0';
            frame.src = '{frame}';
            frame.onload = () => {{
                for (const kind of ['start', 'openSlot', 'setSlots']) frame.contentWindow.postMessage({{ kind, slots: 4 }}, '*');
                frame.contentWindow.postMessage('start', '*');
                loaded(true);
            }};
            document.body.append(frame);
        }})"
    ));
    assert_eq!(server.api().fleet().workers, [], "shown, but not started");
    let tree = host.call("DOM.getDocument", &json!({ "depth": -1, "pierce": true }));
    let button = find(&tree["root"], "start").expect("the card has a button");
    let place = host.call("DOM.getBoxModel", &json!({ "backendNodeId": button }));
    let [x, y] = [0, 1].map(|axis| place["model"]["content"][axis].as_f64().unwrap() + 5.0);
    for kind in ["mousePressed", "mouseReleased"] {
        let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
        host.call("Input.dispatchMouseEvent", &params);
    }
    server.api().await_fleet(|fleet| fleet.slots == 1);
    assert_eq!(server.api().await_end(&server.api().run(&shipped("add"))).result, Some(157.into()));
}

#[test]
fn the_card_speaks_as_the_browser_wishes_without_barriers() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    for (wish, language, title) in [
        ("fr", "en", "Lend a core to "),
        ("de-AT", "de", "Einen Kern verleihen an "),
        ("zh-CN", "zh-Hans", "借一个核心给 "),
    ] {
        let wish = format!("Object.defineProperty(navigator, 'languages', {{ value: ['{wish}'] }});");
        let page = browser.open_with(&server.url("/embed"), &wish);
        let size = json!({ "width": 320, "height": 260, "deviceScaleFactor": 2, "mobile": false });
        page.call("Emulation.setDeviceMetricsOverride", &size);
        page.wait_for(&format!("document.documentElement.lang === '{language}'"));
        assert_eq!(page.eval("document.querySelector('h1').innerText"), format!("{title}{}", server.address));
        assert_eq!(
            page.eval("/{[a-z]+}/.test(document.body.innerText)"),
            false,
            "{language}: a hole is left"
        );
        light(&page, "light");
        look(&page, &format!("card-{language}"));
        light(&page, "dark");
        look(&page, &format!("card-dark-{language}"));
    }
}
