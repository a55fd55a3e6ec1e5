//! A run on paper: whichever of its parts is open, it prints as a few pages with facts, graph, what was computed over time, the first
//! nodes and the head of its result; black on white, without the frame.

use std::path::Path;
use std::{fs, thread};

use serde_json::json;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, FakeWorker, Page, TestServer, answer_all, job_workflow, layered, thrown};

use super::console::{press, write};

const CTRL: u32 = 2;
/// No driver answers what a browser asks before it prints. The page is to ask for that; the driver prints it.
const UNASKED: &str = "window.print = () => { document.documentElement.dataset.prints = 'yes'; }";
/// Light on dark, as somebody may work who prints.
const DARK: [(&str, &str); 1] = [("prefers-color-scheme", "dark")];

/// What is asked to be printed.
struct Asked {
    name: &'static str,
    place: String,
    by_keys: bool,
    /// Nodes that are told of one by one.
    nodes: usize,
    told: [&'static str; 3],
}

#[test]
fn a_run_is_printed_on_a_few_pages() {
    let server = TestServer::start(&[]);
    let [finished, failed, going] = runs(&server);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    console.eval(UNASKED);
    for asked in [
        Asked {
            name: "finished",
            place: format!("#/runs/{finished}/log"),
            by_keys: true,
            nodes: 200,
            told: ["finished", "The first 200 of 301 nodes", "n3_19"],
        },
        Asked {
            name: "failed",
            place: format!("#/runs/{failed}/jobs"),
            by_keys: false,
            nodes: 1,
            told: ["failed", "out of luck", "Attempt 1"],
        },
        Asked {
            name: "going",
            place: format!("#/runs/{going}/graph"),
            by_keys: true,
            nodes: 200,
            told: ["The run goes on", "The first 200 of 1,201 nodes", "running"],
        },
    ] {
        print(&console, &asked);
    }
}

fn print(console: &Page<'_>, asked: &Asked) {
    let name = asked.name;
    console.eval(&format!("location.hash = '{}'", asked.place));
    console.wait_for("document.querySelector('.tabs')");
    ask(console, asked.by_keys);
    console.wait_for("document.documentElement.dataset.prints === 'yes'");
    on_paper(console, asked);
    let document = console.printed();
    keep(name, &document);
    let pages = pages_of(&document);
    assert!((2..=4).contains(&pages), "{name}: {pages} pages");
    console.wait_for("!document.querySelector('.sheet')");
    console.eval("delete document.documentElement.dataset.prints");
}

/// One that is finished, one that has failed, and one that goes on, with more nodes than are told of.
fn runs(server: &TestServer) -> [String; 3] {
    let api = server.api();
    let failed = api.run(&job_workflow("function weevil_main() { return 1 }", r#"retries="0""#));
    let mut worker = FakeWorker::join(&server.address, 1);
    let job = worker.job();
    worker.report(vec![(job.key, thrown("out of luck"))]);
    api.await_end(&failed);
    let finished = api.run(&layered(5, 60, 3));
    drop(worker);
    let worker = FakeWorker::join(&server.address, 50);
    thread::spawn(move || answer_all(worker));
    api.await_end(&finished);
    api.post(&Operation::PauseQueue.path(&[]), "", &[], &[]);
    let going = api.run(&layered(12, 100, 3));
    [finished, failed, going]
}

/// By the keys that print, or by the palette.
fn ask(console: &Page<'_>, by_keys: bool) {
    if by_keys {
        for kind in ["rawKeyDown", "keyUp"] {
            let event = json!({ "type": kind, "key": "p", "windowsVirtualKeyCode": 80, "modifiers": CTRL });
            console.call("Input.dispatchKeyEvent", &event);
        }
        return;
    }
    console.click("#find");
    console.wait_for("document.activeElement.id === 'palette-field'");
    write(console, "Print");
    console.wait_for("document.querySelector('.option[aria-selected=true]')?.textContent.includes('Print')");
    press(console, "Enter");
}

/// What can be read and seen on the sheet; keeps a picture of it.
fn on_paper(console: &Page<'_>, Asked { name, nodes, told, .. }: &Asked) {
    let paper = json!({ "width": 680, "height": 980, "deviceScaleFactor": 1, "mobile": false });
    console.call("Emulation.setDeviceMetricsOverride", &paper);
    media(console, "print", &DARK);
    console.eval("dispatchEvent(new Event('beforeprint'))");
    let colour = |of: &str, property: &str| {
        console.eval(&format!("getComputedStyle(document.querySelector('{of}')).{property}"))
    };
    assert_eq!(colour("body", "backgroundColor"), json!("rgb(255, 255, 255)"), "{name}");
    assert_eq!(colour(".sheet h1", "color"), json!("rgb(0, 0, 0)"), "{name}");
    let rows = console.eval("document.querySelectorAll('.sheet-nodes li').length");
    assert_eq!(rows, json!(nodes), "{name}");
    console.wait_for(
        "document.querySelector('.sheet .graph-figure') && document.querySelector('.sheet .chart')",
    );
    console.keep_picture(&format!("print-{name}"));
    let text = console.eval("document.body.innerText").as_str().expect("words").to_owned();
    for words in told.iter().chain(&["Graph", "Over time", "Nodes"]) {
        assert!(text.contains(words), "{name}: {words} is missing in {text}");
    }
    for words in ["Hold still", "Settings", "Timeline"] {
        assert!(!text.contains(words), "{name}: the frame is printed: {text}");
    }
    media(console, "", &[]);
    console.call("Emulation.clearDeviceMetricsOverride", &json!({}));
}

fn media(console: &Page<'_>, media: &str, features: &[(&str, &str)]) {
    let features: Vec<_> =
        features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
    console.call("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }));
}

/// Beside the pictures, for people to look at.
fn keep(name: &str, document: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/pages");
    fs::write(folder.join(format!("print-{name}.pdf")), document).expect("a document can be written");
}

/// Objects of a PDF that are pages (ISO 32000-1, section 7.7.3.3): Chromium writes them as plain text.
fn pages_of(document: &[u8]) -> usize {
    let text = String::from_utf8_lossy(document);
    text.split("/Type /Page").skip(1).filter(|rest| !rest.starts_with('s')).count()
}
