//! What volunteers are told of the work: by the route, and by the page in a real browser.

use serde_json::{Value, json};
use weevil_api::{Problem, RunCreated, WorkflowKept};
use weevil_e2e::{Api, Browser, FakeWorker, Files, Form, TestServer, job_workflow, number, pool_workflow};

use crate::looks::{light, phone};
use crate::manners::FAKES;
use crate::volunteer_looks::{SUM, WORK, look, open, speak};

const SAME: &str = "function weevil_main(n) { return n }";
const ONE: &str = "function weevil_main() { return 1 }";
const AIM: &str = r#"project="Weevil census" question="How many weevils live in an old oak?" link="https://example.org/weevils?tree=oak""#;

/// The workflow with these attributes on its root.
fn with_aim(attributes: &str, mut files: Files) -> Files {
    let (_, document) = files.iter_mut().find(|(path, _)| path == "workflow.xml").expect("a document");
    let text = String::from_utf8(std::mem::take(document)).expect("text");
    *document = text.replacen("<workflow>", &format!("<workflow {attributes}>"), 1).into_bytes();
    files
}

fn pool(elements: usize, processor: &str) -> Files {
    pool_workflow(&format!("[{}]", vec!["1"; elements].join(",")), processor, SUM)
}

fn start(api: &Api, files: &Files, name: &str) -> RunCreated {
    api.run_form(&Form::of(files).text("name", name))
}

fn aim(api: &Api, workflow: &str) -> Value {
    api.json(&format!("/api/v1/aims/{workflow}"))
}

fn refusal(api: &Api, workflow: &str) -> (u16, String) {
    let (status, Problem { code, .. }) = api.answer(&format!("/api/v1/aims/{workflow}")).refusal();
    (status, code)
}

/// Takes one job and answers it.
fn work(worker: &mut FakeWorker) {
    worker.capacity = 1;
    worker.tell(vec![]);
    let job = worker.job();
    worker.capacity = 0;
    worker.report(vec![(job.key, number(1.0))]);
}

#[test]
fn nobody_is_told_of_what_nobody_runs() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let kept: WorkflowKept = api.submit("/api/v1/workflows", &Form::of(&job_workflow(ONE, ""))).created();
    for (workflow, expected) in [
        (kept.workflow.as_str(), (404, "notRunning")),
        (&"0".repeat(64), (404, "notRunning")),
        (&"A".repeat(64), (400, "badId")),
        ("run_0000000000001", (400, "badId")),
    ] {
        let (status, code) = refusal(&api, workflow);
        assert_eq!((status, code.as_str()), expected, "{workflow}");
    }
    assert_eq!(api.status_of("DELETE", &format!("/api/v1/aims/{}", kept.workflow)), 405);
}

#[test]
fn the_numbers_of_all_runs_rise_and_go_with_the_last_run() {
    let server = TestServer::start(&[]);
    let api = server.api();
    let files = with_aim(AIM, pool(3, SAME));
    let first = start(&api, &files, "old oak");
    api.await_run(&first.run, |view| view.summary.progress.total == 4);
    let expected = |name: &str, done: u32, total: u32| {
        json!({ "name": name, "project": "Weevil census", "question": "How many weevils live in an old oak?",
            "link": "https://example.org/weevils?tree=oak", "done": done, "total": total })
    };
    assert_eq!(aim(&api, &first.workflow), expected("old oak", 0, 4));
    let answer = api.get(&format!("/api/v1/aims/{}", first.workflow));
    assert_eq!(answer.headers()["cache-control"], "public, max-age=2");
    let mut worker = FakeWorker::join(&server.address, 0);
    work(&mut worker);
    api.await_run(&first.run, |view| view.summary.progress.done == 1);
    assert_eq!(aim(&api, &first.workflow), expected("old oak", 1, 4));
    let second = start(&api, &files, "young oak");
    assert_eq!(second.workflow, first.workflow);
    api.await_run(&second.run, |view| view.summary.progress.total == 4);
    assert_eq!(aim(&api, &first.workflow), expected("young oak", 1, 8));
    api.cancel(&second.run);
    assert_eq!(aim(&api, &first.workflow), expected("old oak", 1, 4));
    for _ in 0..3 {
        work(&mut worker);
    }
    api.await_end(&first.run);
    assert_eq!(refusal(&api, &first.workflow), (404, "notRunning".to_owned()));
}

/// The texts in `#aim`, and what its link and its bar say.
const SHOWN: &str = "({
    texts: ['for', 'question', 'more'].map((part) => document.querySelector('#aim-' + part).innerText),
    href: document.querySelector('#aim-link').href,
    rel: document.querySelector('#aim-link').rel,
    target: document.querySelector('#aim-link').target,
    most: document.querySelector('#aim-bar').max,
})";

#[test]
fn the_page_tells_what_for_and_how_far() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    start(&server.api(), &with_aim(AIM, pool(1000, WORK)), "old oak");
    page.click("#start");
    page.wait_for("!document.querySelector('#aim').hidden");
    page.wait_for("document.querySelector('#aim-bar').max === 1001");
    assert_eq!(
        page.eval(SHOWN),
        json!({
            "texts": ["For: Weevil census", "How many weevils live in an old oak?", "More about it example.org"],
            "href": "https://example.org/weevils?tree=oak",
            "rel": "noopener noreferrer nofollow external",
            "target": "_blank",
            "most": 1001,
        })
    );
    // A later answer: the first one came at once.
    page.wait_for("document.querySelector('#aim-bar').value > 20");
    page.wait_for(
        "/^[0-9]+ of 1,001 jobs of this run are done$/.test(document.querySelector('#aim-text').innerText)",
    );
    page.wait_for("document.querySelector('#chart-line').getAttribute('d')");
    look(&page, "aim");
    speak(&page, "de");
    look(&page, "aim-de");
    light(&page, "dark");
    look(&page, "aim-dark");
    phone(&page);
    speak(&page, "zh-Hans");
    look(&page, "aim-phone-dark");
    light(&page, "light");
    speak(&page, "en");
    look(&page, "aim-phone");
    page.click("#stop");
    page.wait_for("document.querySelector('#aim').hidden");
}

#[test]
fn strangers_texts_are_texts() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    let hostile = "<img src=x onerror=hacked=1><b>\u{202e}{done}</b>";
    let escaped = hostile.replace('<', "&lt;");
    let long = "W".repeat(100);
    let attributes =
        format!("question=\"{escaped}\" project=\"{long}\" link=\"https://{}.example/\"", "a".repeat(60));
    server.api().run(&with_aim(&attributes, pool(1000, WORK)));
    page.click("#start");
    page.wait_for("!document.querySelector('#aim').hidden");
    assert_eq!(page.eval("document.querySelector('#aim-question').textContent"), hostile);
    assert_eq!(page.eval("document.querySelectorAll('#aim img, #aim b').length"), 0);
    assert_eq!(page.eval("typeof hacked"), "undefined");
    phone(&page);
    look(&page, "aim-hostile");
}

#[test]
fn without_words_there_is_the_bar_and_without_an_answer_the_work() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = open(&browser, &server);
    server.api().run(&pool(1000, WORK));
    page.click("#start");
    page.wait_for("!document.querySelector('#aim').hidden");
    assert_eq!(
        page.eval("['for', 'question', 'more'].map((part) => document.querySelector('#aim-' + part).hidden)"),
        json!([true, true, true])
    );
    look(&page, "aim-bar-alone");
    page.close();
    let broken = browser.open_with(
        &server.url("/"),
        &format!("{FAKES} globalThis.fetch = () => {{ throw new Error('no') }};"),
    );
    broken.click("#start");
    broken.wait_for("Number(document.documentElement.dataset.done) > 3");
    assert_eq!(broken.eval("document.querySelector('#aim').hidden"), true);
}
