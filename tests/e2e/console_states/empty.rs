//! Nothing is there yet.

use weevil_e2e::{Browser, TestServer, files};

use super::place::{look_at_each, place};

/// A workflow in which there is nothing to compute.
pub(super) const SEVEN: &str = r#"<workflow><nodes><value id="only" value="7" returntype="Number"/></nodes><edges/><finalnode id="only"/></workflow>"#;

#[test]
fn empty_pages_lead_to_a_run_by_their_own_button() {
    let browser = Browser::start();
    for address in ["#/", "#/runs", "#/workflows"] {
        let server = TestServer::start(&[]);
        let page = server.console(&browser, address);
        page.wait_for("document.querySelector('#run-example')");
        page.click("#run-example");
        page.wait_for("document.querySelector('#run-page')?.dataset.state === 'STARTED'");
    }
}

#[test]
fn every_page_empty() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = server.console(&browser, "");
    look_at_each(
        &page,
        "empty",
        &[
            place("overview", "#/", "#no-runs"),
            place("runs", "#/runs", "#no-runs"),
            place("workflows", "#/workflows", "#workflows-page .empty"),
            place("versions", "#/workflows/nothing", "#workflows-page .empty"),
            place(
                "editor",
                "#/workflows/mine/edit",
                "#checked[data-state=broken], #checked[data-state=sound]",
            ),
            place("queue", "#/queue", "#queue-page .figures"),
            place("queue-jobs", "#/queues/default", "#no-jobs"),
            place("workers", "#/workers", "#no-workers"),
            place("workers-gone", "#/workers?state=gone", "#workers-page .empty"),
        ],
    );
    let run = server.api().run(&files(&[("workflow.xml", SEVEN)]));
    let workflow = server.api().await_end(&run).summary.workflow;
    let run = format!("#/runs/{run}");
    look_at_each(
        &page,
        "empty",
        &[
            place("run-jobs", &format!("{run}/jobs"), ".empty"),
            place("run-log", &format!("{run}/log"), ".empty"),
            place("run-timeline", &format!("{run}/timeline"), ".empty"),
            place("run-nodes", &format!("{run}/nodes?q=nobody"), ".empty"),
            place("diff", &format!("#/diff/{workflow}/{workflow}"), "#diff-page > p:not(.muted)"),
        ],
    );
}
