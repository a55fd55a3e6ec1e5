//! How long the editor's checker takes for a document, from the question to the answer, and how soon the graph beside the text shows
//! what was typed.

use std::path::Path;

use serde_json::json;
use weevil_api::WorkflowKept;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Form, Page, TestServer, layered};

use crate::measure::Figures;

/// Layers and jobs of each: a document of a little more than 500 lines, and one of 2,001 nodes.
const LINES_500: (usize, usize) = (5, 40);
const NODES_2000: (usize, usize) = (20, 100);
const SEED: u64 = 7;
const EDITS: usize = 300;
/// Notes when somebody typed last, what each question took, and how long after the typing a picture had been painted that knows the
/// answer.
const WATCH: &str = "globalThis.checks = []; {
    let typed = 0;
    addEventListener('beforeinput', () => { typed = performance.now(); }, true);
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (asked, ...rest) {
        const began = performance.now();
        const heard = ({ data }) => {
            if (data.number !== asked.number) return;
            this.removeEventListener('message', heard);
            const took = performance.now() - began;
            const painted = () => checks.push([took, performance.now() - typed]);
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted)));
        };
        if (asked?.question?.kind === 'check') this.addEventListener('message', heard);
        return post.call(this, asked, ...rest);
    };
}";

/// The 99th percentiles, in milliseconds, of so many edits; the module is there by then.
pub(crate) fn checks(binary: &Path, _: usize) -> Vec<Figures> {
    let server = TestServer::start_binary(binary, &[]);
    let browser = Browser::start();
    drop(server.console(&browser, ""));
    let [(lines, _), (_, nodes)] = [LINES_500, NODES_2000].map(|shape| edits(&server, &browser, shape));
    vec![vec![percentile_99(lines)], vec![percentile_99(nodes)]]
}

/// What each edit's question took, and its picture.
fn edits(server: &TestServer, browser: &Browser, (layers, width): (usize, usize)) -> (Figures, Figures) {
    let form = Form::of(&layered(layers, width, SEED)).text("name", "bench");
    let kept: WorkflowKept = server.api().submit(&Operation::KeepWorkflow.path(&[]), &form).created();
    let place = format!("/console#/workflows/bench/{}/edit", kept.workflow);
    let page = browser.open_with(&server.url(&place), WATCH);
    page.wait_for("document.querySelector('.text-host')?.dataset.there === 'true'");
    page.wait_for("document.querySelector('#checked')?.dataset.state === 'sound'");
    page.eval("document.querySelector('.text-host').shadowRoot.querySelector('.cm-content').focus()");
    let found = (0..EDITS).map(|_| edit(&page)).unzip();
    page.close();
    found
}

/// Types a blank and waits for the answer and its picture.
fn edit(page: &Page<'_>) -> (f64, f64) {
    let before = page.eval("checks.length");
    page.call("Input.insertText", &json!({ "text": " " }));
    let after = page.eval(&format!(
        "new Promise((done) => {{
            const look = () => (checks.length > {before} ? done(checks.at(-1)) : setTimeout(look, 5));
            look();
        }})"
    ));
    let ms = |at: usize| after[at].as_f64().expect("a number");
    (ms(0), ms(1))
}

fn percentile_99(mut ms: Figures) -> f64 {
    ms.sort_by(f64::total_cmp);
    ms[(ms.len() * 99).div_ceil(100) - 1]
}
