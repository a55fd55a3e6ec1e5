//! The viewer in a real browser: each shape of a value, each file read back byte for byte, by keyboard alone, looked at in every light.

use serde_json::{Value as Json, json};
use weevil_api::routes::Operation;
use weevil_e2e::{Api, Browser, FakeWorker, Page, TestServer, number, shipped};

use super::console::press;
use super::looks::{judge, light, phone};
use super::values::{encoded, job_with};

/// Opens the page of a job that has this value, and waits until it is shown.
fn open(console: &Page<'_>, job: &str) {
    console.eval(&format!("location.hash = '#/jobs/{job}'"));
    console.wait_for(&format!(
        "document.querySelector('#job-page code').innerText === '{job}' && document.querySelector('#result[data-face]')"
    ));
}

fn face(console: &Page<'_>) -> String {
    let face = console.eval("document.querySelector('#result').dataset.face");
    face.as_str().expect("a face").to_owned()
}

fn choose(console: &Page<'_>, face: &str) {
    console.click(&format!("input[value={face}]"));
    console.wait_for(&format!("document.querySelector('#result').dataset.face === '{face}'"));
}

fn text(console: &Page<'_>, selector: &str) -> String {
    let text = console.eval(&format!("document.querySelector({}).innerText", json!(selector)));
    text.as_str().expect("a text").to_owned()
}

#[test]
fn each_shape_is_shown_as_what_it_is() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let numbers: Vec<f64> = (0..100).map(|at| f64::from(at) / 2.0).collect();
    let doubles =
        json!({ "$typed": "Float64Array", "values": [0.5, { "$number": "NaN" }, { "$number": "-0" }] });
    let colours = json!({ "$typed": "Uint8ClampedArray", "values": [255, 0, 0, 255, 0, 0, 255, 255] });
    for (view, faces, kind, words) in [
        (json!(42), "", "number", "42"),
        (json!(0.1 + 0.2), "", "number", "0.30000000000000004"),
        (json!({ "$number": "-0" }), "", "number", "-0"),
        (json!({ "$number": "NaN" }), "", "number", "NaN"),
        (json!("NaN"), "", "text", "NaN"),
        (json!({ "$undefined": true }), "", "undefined", "undefined"),
        (json!(null), "", "null", "null"),
        (json!(true), "", "boolean", "true"),
        (json!(numbers), "line histogram table", "Array", "24.75"),
        (doubles, "line histogram table", "Float64Array", "standard deviation"),
        (
            json!({ "$typed": "BigInt64Array", "values": ["9007199254740993"] }),
            "table line histogram",
            "BigInt64Array",
            "9007199254740993",
        ),
        (json!([[1, 2], [3, 5], [4, 4]]), "scatter table tree", "Array", ""),
        (json!([[1, 2, 3], [4, 5, 6]]), "image table tree", "Array", "3 × 2 pixels; 1 is dark, 6 is bright"),
        (json!({ "data": [1, 2], "width": 2, "height": 1 }), "image tree", "object", "2 × 1 pixels"),
        (json!({ "data": colours, "width": 2, "height": 1 }), "image tree", "object", "2 × 1 pixels"),
        (
            json!([{ "a": 1, "b": 2 }, { "a": 3, "b": { "$undefined": true } }]),
            "table scatter tree",
            "Array",
            "undefined",
        ),
        (json!(["x", "1", { "$number": "-0" }]), "table tree", "Array", "\"1\""),
        (json!({ "a": [{ "b": 1 }] }), "tree", "object", "Array(1)"),
        (json!([[], [1]]), "tree", "Array", "Array(2)"),
    ] {
        let job = job_with(&server, view.clone());
        open(&console, &job);
        let offered =
            console.eval("[...document.querySelectorAll('.faces input')].map((one) => one.value).join(' ')");
        let first = faces.split(' ').next().filter(|first| !first.is_empty());
        let own = if matches!(view, Json::Object(_) | Json::Array(_)) { "tree" } else { "headline" };
        let single = ["number", "text", "undefined", "null", "boolean"].contains(&kind);
        let expected = first.unwrap_or(if single { "headline" } else { own });
        assert_eq!(
            (face(&console).as_str(), &offered),
            (expected, &json!(if faces.contains(' ') { faces } else { "" })),
            "{view}"
        );
        assert!(text(&console, ".viewer-kind").starts_with(&format!("{kind}, ")), "{view}");
        assert!(text(&console, "#result").contains(words), "{view}: {}", text(&console, "#result"));
    }
}

/// What a file holds that is saved.
fn saved(console: &Page<'_>, kind: &str, job: &str) -> Vec<u8> {
    console.save_bytes(&format!("[data-file={kind}]"), &format!("result-{job}.{}", kind.to_lowercase()))
}

fn body(api: &Api, path: &str, accept: &str) -> Vec<u8> {
    let response = api.get_with(path, &[("accept", accept)]);
    assert_eq!(response.status(), 200, "{path} {accept}");
    response.into_body().into_with_config().limit(u64::MAX).read_to_vec().expect("a body")
}

/// Width and height (PNG, section 11.2.1).
fn png_size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (side(16), side(20))
}

#[test]
fn each_file_has_the_values_bytes() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let numbers = [json!(1.5), json!({ "$number": "NaN" }), json!({ "$number": "-0" }), json!(1e-7)];
    let view = json!({ "$typed": "Float64Array", "values": numbers });
    let job = job_with(&server, view.clone());
    open(&console, &job);
    let path = Operation::JobResult.path(&[&job]);
    assert_eq!(saved(&console, "CBOR", &job), encoded(view).as_bytes());
    assert_eq!(saved(&console, "JSON", &job), body(&server.api(), &path, "application/json"));
    assert_eq!(saved(&console, "CSV", &job), body(&server.api(), &path, "text/csv"));
    let mut npy = b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }".to_vec();
    npy.resize(127, b' ');
    npy.push(b'\n');
    for number in [1.5, f64::NAN, -0.0, 1e-7] {
        npy.extend_from_slice(&number.to_le_bytes());
    }
    assert_eq!(saved(&console, "NPY", &job), npy);
    for face in ["line", "histogram"] {
        choose(&console, face);
        assert_eq!(png_size(&saved(&console, "PNG", &job)), (1280, 640), "{face}");
        let svg = String::from_utf8(saved(&console, "SVG", &job)).expect("text");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"), "{svg}");
    }
}

#[test]
fn a_picture_and_a_table_of_strangers_are_saved_as_they_are() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let picture = json!({ "data": { "$typed": "Float32Array", "values": [1, 2, 3, 4, 5, 6] }, "width": 3, "height": 2 });
    let job = job_with(&server, picture);
    open(&console, &job);
    assert_eq!(png_size(&saved(&console, "PNG", &job)), (3, 2));
    let npy = saved(&console, "NPY", &job);
    assert!(String::from_utf8_lossy(&npy).contains("'<f4', 'fortran_order': False, 'shape': (2, 3), }"));
    assert_eq!(npy[128..], [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat());
    let markup = "<img src=x onerror=\"document.title='owned'\">";
    let rows = json!([{ markup: 1, "=b": 2 }, { markup: "=1+1", "=b": { "$number": "-0" } }, { markup: 3, "=b": 4 }]);
    let job = job_with(&server, rows);
    open(&console, &job);
    let path = Operation::JobResult.path(&[&job]);
    assert_eq!(saved(&console, "CSV", &job), body(&server.api(), &path, "text/csv"));
    assert!(text(&console, "#result").contains(markup));
    choose(&console, "scatter");
    let svg = String::from_utf8(saved(&console, "SVG", &job)).expect("text");
    assert!(svg.contains("&lt;img") && !svg.contains("<img"), "{svg}");
    choose(&console, "tree");
    assert_eq!(console.eval("document.querySelectorAll('#result img').length"), 0);
    assert_ne!(console.eval("document.title"), "owned");
}

#[test]
fn a_value_is_read_by_keyboard_alone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let rows: Vec<u32> = (0..5000).map(|at| at * 7 % 5000).collect();
    open(&console, &job_with(&server, json!(rows)));
    console.eval("document.querySelector('.faces input').focus()");
    press(&console, "ArrowRight");
    console.wait_for("document.querySelector('#result').dataset.face === 'histogram'");
    press(&console, "ArrowRight");
    console.wait_for("document.querySelector('.table-view')");
    press(&console, "Tab");
    assert_eq!(console.eval("document.activeElement.className"), "table-view");
    press(&console, "End");
    console.wait_for("document.querySelector('.table-view').innerText.includes('4993')");
    assert_eq!(console.eval("document.querySelector('.table-view').ariaRowCount"), "5001");
    press(&console, "Tab");
    press(&console, "Enter");
    console.wait_for("document.querySelector('[aria-sort=ascending]')");
    let last = "document.querySelector('.table-body [role=row]:last-child').innerText";
    console.wait_for(&format!("{last}.endsWith('4999')"));

    open(&console, &job_with(&server, json!({ "deep": [{ "needle": [1, 2, 3] }], "other": null })));
    console.eval("document.querySelector('[role=treeitem][tabindex=\"0\"]').focus()");
    for key in ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowRight"] {
        press(&console, key);
    }
    console.wait_for("document.querySelector('.tree').innerText.includes('needle')");
    press(&console, "ArrowLeft");
    console.wait_for("!document.querySelector('.tree').innerText.includes('needle')");
    console.eval("document.querySelector('.tree-search input').focus()");
    super::console::write(&console, "NEEDLE");
    press(&console, "Enter");
    console.wait_for("document.querySelector('.found button')?.innerText === 'deep › 0 › needle'");
    console.eval("document.querySelector('.found button').focus()");
    press(&console, "Enter");
    console.wait_for("document.activeElement.innerText === 'needle: Array(3)'");
}

#[test]
fn values_are_looked_at_in_every_light() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let console = server.console(&browser, "");
    let waves: Vec<f64> = (0..2000).map(|at| (f64::from(at) / 90.0).sin() * f64::from(at % 13)).collect();
    let grid: Vec<Vec<u32>> = (0..24).map(|row| (0..40).map(|column| row * column).collect()).collect();
    let records: Vec<Json> = (0..60)
        .map(|at| json!({ "step": at, "energy": 1.0 / f64::from(at + 1), "note": "a long text" }))
        .collect();
    let shapes = [
        ("headline", json!(std::f64::consts::PI), "headline"),
        ("line", json!(waves), "line histogram table"),
        ("image", json!(grid), "image table"),
        ("records", json!(records), "table scatter tree"),
        ("tree", json!({ "a": { "b": [1, "two", null] }, "c": records }), "tree"),
    ];
    for (name, view, faces) in shapes {
        open(&console, &job_with(&server, view));
        for face in faces.split(' ') {
            if faces.contains(' ') {
                choose(&console, face);
            }
            for scheme in ["light", "dark"] {
                light(&console, scheme);
                let desk = json!({ "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": false });
                console.call("Emulation.setDeviceMetricsOverride", &desk);
                judge(&console, &format!("viewer-{name}-{face}-{scheme}"));
                phone(&console);
                judge(&console, &format!("viewer-{name}-{face}-phone-{scheme}"));
            }
        }
    }
}

#[test]
fn a_run_shows_its_result_what_was_expected_and_the_values_of_its_nodes() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&shipped("add"));
    let browser = Browser::start();
    let console = server.console(&browser, &format!("#/runs/{run}/overview"));
    console.click("tr[data-node=val4] button");
    console.wait_for("document.querySelector('#run-page .viewer')?.innerText.includes('There is no value')");
    let mut worker = FakeWorker::join(&server.address, 1);
    for result in [57.0, 157.0] {
        let key = worker.job().key;
        worker.report(vec![(key, number(result))]);
    }
    console.wait_for("document.querySelector('#result')?.innerText === '157'");
    console.wait_for("document.querySelector('.viewer-expected')?.innerText === 'As expected.'");
    for (node, value) in [("val1", "44"), ("val3", "57")] {
        console.click(&format!("tr[data-node={node}] button"));
        console.wait_for(&format!("document.querySelector('#node-value')?.innerText === '{value}'"));
    }
    console.click("#run-page a[href$=\"/jobs\"]");
    console.click("[data-job] a");
    console.click("#job-page details.value summary");
    console.wait_for("document.querySelector('#input')?.dataset.face === 'line'");
}
