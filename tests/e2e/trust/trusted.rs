//! Devices that somebody in charge has marked: what they say is believed at once, until somebody says otherwise; and a rest that
//! is forgiven.

use std::process::Output;
use std::time::Instant;

use weevil_api::routes::Operation;
use weevil_api::{DevicePage, DeviceRank, DeviceView};
use weevil_e2e::{Browser, DatabaseKind, FakeWorker, PATIENCE, TestServer, number, on_each_database};
use weevil_model::NodeState;

use super::lots::{per_job, start};
use super::scene::{
    BEHIND_A_PROXY, answer, cancel, ends, next, put_judged, report, result, story, take, volunteer,
};
use super::volunteers::{CHROMIUM, RIGHT, WRONG, end, fleet};
use crate::looks::{await_words, look_at_console};

on_each_database!(a_marked_device_alone_finishes_a_run, a_device_that_has_to_rest_is_forgiven,);

/// The only device of this rank, once it is connected.
pub(super) fn device(server: &TestServer, rank: &str) -> DeviceView {
    let path = format!("{}?rank={rank}", Operation::ListDevices.path(&[]));
    let deadline = Instant::now() + PATIENCE;
    loop {
        let mut page: DevicePage = server.api().json(&path);
        assert!(page.devices.len() < 2 && Instant::now() < deadline, "{page:?}");
        if let Some(device) = page.devices.pop() {
            return device;
        }
    }
}

pub(super) fn mark(server: &TestServer, operation: Operation, device: &DeviceView) -> DeviceView {
    let name = device.fingerprint.as_ref().expect("the owner sees it");
    server.api().post(&operation.path(&[name]), "", &[], &[]).json()
}

/// A volunteer, once its device is marked as trusted.
pub(super) fn trusted(server: &TestServer, number: u8) -> FakeWorker {
    let worker = volunteer(server, number);
    let known = |device: &DeviceView| device.rank == DeviceRank::Newcomer && device.connected;
    assert!(known(&device(server, "newcomer")));
    let marked = mark(server, Operation::TrustDevice, &device(server, "newcomer"));
    assert_eq!((marked.rank, marked.trusted), (DeviceRank::Trusted, true));
    worker
}

fn a_marked_device_alone_finishes_a_run(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    drop(trusted(&server, 1));
    let first = start(&server, "credible(0.001)");
    let alone = fleet(&server, &[(1, CHROMIUM, RIGHT)]);
    assert!((per_job(&server, &first) - 1.0).abs() < f64::EPSILON, "one computation for each job");
    let found = device(&server, "trusted");
    assert_eq!((found.waiting, found.refuted, found.connected), (0, 0, true));
    assert!(found.accepted > 0 && found.last_seen >= found.first_seen && found.first_seen.is_some());
    end(server, alone);
}

/// A device that is no longer trusted is a newcomer, from the next job that it is handed.
#[test]
fn a_mark_that_is_taken_back_counts_from_the_next_job() {
    let mut server = TestServer::start(&BEHIND_A_PROXY);
    let mut worker = trusted(&server, 1);
    let job = put_judged(&server, "credible(0.001)", 0);
    let given = take(&mut worker, job);
    let found = mark(&server, Operation::DistrustDevice, &device(&server, "trusted"));
    assert_eq!((found.rank, found.trusted, found.passes), (DeviceRank::Newcomer, false, 0));
    report(&mut worker, &given, number(7.0));
    assert_eq!(result(&server, job), 7, "what it was when the copy was handed out");
    let job = put_judged(&server, "credible(0.001)", 0);
    answer(&mut worker, job, number(7.0));
    assert_eq!(story(&server, job).job.state, NodeState::Answered);
    mark(&server, Operation::TrustDevice, &found);
    let job = put_judged(&server, "quorum(3)", 1);
    answer(&mut worker, job, number(7.0));
    assert_eq!(result(&server, job), 7);
    server.audit();
}

/// The worst that somebody can do who may mark devices, or has stolen a token for it: whatever a marked device says is believed.
#[test]
fn a_liar_that_is_marked_is_believed_until_the_mark_is_taken_back() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let first = start(&server, "credible(0.01)");
    drop(trusted(&server, 1));
    let liar = fleet(&server, &[(1, CHROMIUM, WRONG)]);
    let lied = server.api().await_end(&first).result.expect("a result");
    assert!(lied.as_f64().is_some_and(|sum| sum > 1000.0), "{lied}");
    let found = mark(&server, Operation::DistrustDevice, &device(&server, "trusted"));
    assert_eq!(found.rank, DeviceRank::Newcomer);
    end(server, liar);
}

fn a_device_that_has_to_rest_is_forgiven(database: DatabaseKind) {
    let mut server = database.server_with(&BEHIND_A_PROXY);
    let mut judge = trusted(&server, 9);
    let mut other = volunteer(&server, 1);
    // Engines that have agreed three times are to agree.
    for (said, fates) in [(7.0, "agreed"), (7.0, "agreed"), (7.0, "agreed"), (1.0, "refuted")] {
        let job = put_judged(&server, "credible(0.01)", 0);
        answer(&mut other, job, number(said));
        answer(&mut judge, job, number(7.0));
        assert_eq!(result(&server, job), 7);
        assert_eq!(ends(&story(&server, job)), [&format!("completed {fates}"), "completed agreed"]);
    }
    let rests = device(&server, "newcomer");
    assert_eq!((rests.refuted, rests.passes), (1, 0));
    drop(judge);
    for restarts in [false, true] {
        if restarts {
            server.kill();
            server.restart();
            other = volunteer(&server, 1);
        }
        let judged = put_judged(&server, "quorum(2)", 9);
        let open = put_judged(&server, "none", 0);
        let given = next(&mut other);
        assert_eq!(given.key.job, open.number(), "it rests, {restarts}");
        report(&mut other, &given, number(7.0));
        cancel(&server, judged);
    }
    assert_eq!(device(&server, "newcomer").rests_until, rests.rests_until);
    let forgiven = mark(&server, Operation::ForgiveDevice, &rests);
    assert_eq!((forgiven.rests_until, forgiven.refuted), (None, 0));
    let judged = put_judged(&server, "credible(0.01)", 9);
    answer(&mut other, judged, number(7.0));
    server.audit();
}

fn weevil(server: &TestServer, args: &[&str]) -> Output {
    let url = server.url("");
    server.command().args(args).args(["--server", &url]).output().expect("the binary runs")
}

fn printed(server: &TestServer, args: &[&str]) -> (i32, String) {
    let output = weevil(server, args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn devices_are_listed_and_marked_from_the_command_line() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    assert_eq!(printed(&server, &["devices"]), (0, String::new()));
    let mut worker = volunteer(&server, 1);
    let found = device(&server, "newcomer");
    let (name, whole) = (found.device.as_str(), found.fingerprint.expect("the owner sees it"));
    let line = |rank: &str| format!("{name}  {rank:>11}  0 passes  0 accepted  0 waiting  connected");
    assert_eq!(printed(&server, &["devices"]), (0, line("newcomer")));
    for (args, expected) in [
        (&["devices", "trust", name][..], format!("{whole} is trusted")),
        (&["devices", "--rank", "trusted"], line("trusted")),
        (&["devices", "--rank", "newcomer"], String::new()),
        (&["devices", "distrust", &whole], format!("{whole} is newcomer")),
        (&["devices", "forgive", &whole[..12]], format!("{whole} is newcomer")),
    ] {
        assert_eq!(printed(&server, args), (0, expected), "{args:?}");
    }
    for args in [&["devices", "--json"][..], &["devices", "trust", name, "--json"]] {
        let (exit, text) = printed(&server, args);
        let view: DeviceView = serde_json::from_str(&text).expect("one JSON object");
        assert_eq!((exit, view.fingerprint.as_ref()), (0, Some(&whole)), "{args:?}");
    }
    for (args, words) in [
        (
            &["devices", "trust", "00000000"][..],
            "no device is known here whose fingerprint begins with `00000000`",
        ),
        (&["devices", "trust"], "<ID>"),
        (&["devices", "--rank", "liar"], "[possible values: newcomer, established, trusted]"),
    ] {
        let (exit, text) = printed(&server, args);
        assert!(exit == 2 && text.contains(words), "{args:?}: {exit} {text}");
    }
    let job = put_judged(&server, "quorum(7)", 0);
    answer(&mut worker, job, number(7.0));
    assert_eq!(result(&server, job), 7);
    let (_, text) = printed(&server, &["devices"]);
    assert!(text.starts_with(&format!("{name}      trusted  1 passes  1 accepted  0 waiting")), "{text}");
}

/// One that was marked and one that is new; the button takes the mark back.
#[test]
fn people_see_devices_and_mark_them() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let _marked = trusted(&server, 1);
    let browser = Browser::start();
    let console = server.console(&browser, "#/devices");
    await_words(&console, "#devices", "trusted");
    await_words(&console, "#devices", "Connected");
    look_at_console(&console, "devices");
    console.click("#devices .deed button");
    await_words(&console, "#devices", "newcomer");
    assert_eq!(device(&server, "newcomer").rank, DeviceRank::Newcomer);
    await_words(&console, "#devices .deed button", "Trust");
    console.eval("document.querySelector('#device-rank').value = 'trusted'");
    console.eval("document.querySelector('#device-rank').dispatchEvent(new Event('change'))");
    await_words(&console, "#workers-page", "No devices.");
}
