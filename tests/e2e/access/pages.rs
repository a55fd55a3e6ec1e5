//! The pages about people in a real browser: signing in, oneself, others. Nothing that axe-core finds, nothing wider than a phone,
//! and a picture of each in `target/pages`.

use serde_json::{Value, json};
use weevil_api::AuditRowView;
use weevil_api::routes::Operation;
use weevil_e2e::{Browser, Page, ShiftedClock, TestServer, job_workflow};
use weevil_model::Role;

use super::people::{self, PASSWORD, accept, invite, make_member, send, sign_in as signed_in};
use crate::console::{press, write};
use crate::looks::{LOADED, await_words, look_at_console};

const NEXT_PASSWORD: &str = "nobody counts the marsh herons";
/// Seconds after which a session is not fresh any more.
const STALE: u32 = 16 * 60;

/// Writes into a field in place of what stands there.
fn fill(page: &Page<'_>, id: &str, text: &str) {
    page.wait_for(&format!("document.querySelector('#{id}')"));
    page.eval(&format!("document.querySelector('#{id}').focus(); document.querySelector('#{id}').select()"));
    write(page, text);
}

fn go(page: &Page<'_>, place: &str, until: &str) {
    page.eval(&format!("location.hash = '{place}'"));
    page.wait_for(&format!("document.querySelector('{until}')"));
}

fn await_inside(page: &Page<'_>) {
    page.wait_for("!document.querySelector('#inside').hidden && document.querySelector('#way-in').hidden");
}

/// A browser in which somebody has made the first account by an invitation.
fn first_admin<'b>(server: &TestServer, browser: &'b Browser) -> Page<'b> {
    let page = browser.open(&server.url(&format!("/console#link={}", invite(server, 1, true))));
    make_account(&page, "ada", "Ada L.");
    page
}

/// Fills in what an invitation asks for.
fn make_account(page: &Page<'_>, name: &str, display: &str) {
    fill(page, "new-name", name);
    fill(page, "new-display", display);
    fill(page, "new-password", PASSWORD);
    press(page, "Enter");
    await_inside(page);
}

fn sign_in(page: &Page<'_>, name: &str, password: &str) {
    fill(page, "sign-in-name", name);
    fill(page, "sign-in-password", password);
    press(page, "Enter");
}

fn sign_out(page: &Page<'_>) {
    go(page, "#/me", "#who .deed button");
    page.eval("window.left = true");
    page.click("#who .deed button");
    page.wait_for("!window.left && document.querySelector('#sign-in-name')");
}

#[test]
fn somebody_looks_after_password_and_sessions() {
    let clock = ShiftedClock::at_now();
    let server = TestServer::start_binary(&clock.server(), &[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    let other = signed_in(&server, "ada").stranger(&server);
    go(&page, "#/me", "#sessions li:nth-child(2)");
    assert_eq!(page.eval("document.activeElement.tagName"), "H1");
    page.click("#new-token summary");
    fill(&page, "token-name", "laptop");
    press(&page, "Enter");
    page.wait_for("document.querySelector('#token-secret').value.startsWith('wvt_') && document.querySelector('#tokens li')");
    look_at_console(&page, "me");
    let me = Operation::ShowMe.path(&[]);
    assert_eq!(other.get(&me).status, 200);
    page.eval("document.querySelector('#sessions li .deed button').focus()");
    press(&page, "Enter");
    page.wait_for("document.querySelectorAll('#sessions li').length === 1");
    assert_eq!((other.get(&me).status, page.eval("document.activeElement.tagName")), (401, json!("H2")));

    clock.set(STALE);
    fill(&page, "change-password", NEXT_PASSWORD);
    press(&page, "Enter");
    page.wait_for("document.querySelector('#again').open");
    look_at_console(&page, "again");
    for (password, ends) in [("not this one", false), (PASSWORD, true)] {
        fill(&page, "again-password", password);
        press(&page, "Enter");
        page.wait_for(if ends {
            "!document.querySelector('#again')"
        } else {
            "document.querySelector('#again [role=alert]').innerText"
        });
    }
    await_words(&page, "#access-page", "The password is changed.");
    sign_out(&page);
    look_at_console(&page, "sign-in");
    sign_in(&page, "ada", PASSWORD);
    page.wait_for("document.querySelector('#way-in .form .problem').innerText");
    sign_in(&page, "ada", NEXT_PASSWORD);
    await_inside(&page);
    go(&page, "#/audit", "#audit li");
    look_at_console(&page, "audit");
    fill(&page, "audit-action", "password.set");
    press(&page, "Enter");
    page.wait_for("document.querySelectorAll('#audit li').length === 1");
    let saved = page.save("#access-page .buttons div button", "audit.ndjson");
    let rows: Vec<AuditRowView> =
        saved.lines().map(|line| serde_json::from_str(line).expect("a row")).collect();
    assert!(matches!(&rows[..], [row] if row.action == "password.set"), "{saved}");
}

#[test]
fn an_invited_person_sees_only_what_they_may() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    go(&page, "#/people", "#accounts li");
    choose(&page, "invite-project", "default");
    choose(&page, "invite-role", "viewer");
    page.click("#access-page form button[type=submit]");
    page.wait_for("document.querySelector('#invite-link').value.includes('#link=wvi_')");
    assert_eq!(page.eval("document.activeElement.id"), "invite-link");
    look_at_console(&page, "people");
    let link = page.eval("document.querySelector('#invite-link').value");
    let link = link.as_str().and_then(|address| address.split_once('#')).expect("an address").1.to_owned();
    sign_out(&page);
    page.eval(&format!("location.hash = '#{link}'"));
    page.wait_for("document.querySelector('#new-name')");
    look_at_console(&page, "accept");
    make_account(&page, "bob", "Bob");
    page.wait_for("!document.querySelector('#to-people') && document.querySelector('#to-runs')");
    go(&page, "#/me", "#who li");
    await_words(&page, "#who", "as viewer");
    go(&page, "#/people", "#access-page [role=alert] p");
    look_at_console(&page, "people-refused");
    sign_out(&page);
    page.eval(&format!("location.hash = '#{link}'"));
    await_words(&page, "#way-in [role=alert]", "link");

    sign_in(&page, "ada", PASSWORD);
    await_inside(&page);
    go(&page, "#/people", "#accounts li:nth-child(2) a");
    page.click("#accounts li:nth-child(2) a");
    page.wait_for("document.querySelector('#access-page h1').innerText === 'Bob'");
    page.click("[aria-label=\"Disable bob\"]");
    await_words(&page, "#account .badge", "disabled");
    look_at_console(&page, "person");
}

/// What asks to be let in and is not asked about here, as `operation` answers it.
fn asked(server: &TestServer, operation: Operation, body: &Value) -> Value {
    serde_json::from_slice(&send(&server.stranger(), operation, body).body).expect("JSON")
}

#[test]
fn a_program_is_let_in_and_somebody_gets_a_new_password() {
    let clock = ShiftedClock::at_now();
    let server = TestServer::start_binary(&clock.server(), &[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    let begun = asked(&server, Operation::BeginLogin, &json!({ "name": "a cluster" }));
    go(&page, &format!("#/login/{}", begun["code"].as_str().expect("a code")), "#login form");
    await_words(&page, "#login", "a cluster");
    look_at_console(&page, "login");
    page.click("#login form button[type=submit]");
    await_words(&page, "#access-page [role=status]", "It is let in");
    clock.set(3);
    let told = asked(&server, Operation::AskLogin, &json!({ "login": begun["login"] }));
    let secret = told["token"]["secret"].as_str();
    assert!(secret.is_some_and(|secret| secret.starts_with("wvt_")), "{}", told["state"]);

    assert_eq!(accept(&server.stranger(), &invite(&server, 2, false), "bob").status, 201);
    go(&page, "#/people", "#accounts li:nth-child(2) a");
    page.click("#accounts li:nth-child(2) a");
    page.click("[aria-label=\"Make a link for a new password of bob\"]");
    page.wait_for("document.querySelector('#reset-link').value.includes('#link=wvr_')");
    let link = page.eval("new URL(document.querySelector('#reset-link').value).hash");
    page.click("[aria-label=\"Make a server admin: bob\"]");
    await_words(&page, "#account .badge", "server admin");
    sign_out(&page);
    page.eval(&format!("location.hash = {link}"));
    page.wait_for("document.querySelector('#new-password')");
    look_at_console(&page, "reset");
    fill(&page, "new-password", NEXT_PASSWORD);
    press(&page, "Enter");
    await_inside(&page);
    go(&page, "#/people", "#accounts li:nth-child(1) a");
    page.click("#accounts li:nth-child(1) a");
    page.click("[aria-label=\"Remove ada\"]");
    page.wait_for("document.querySelector('#remove-yes')");
    look_at_console(&page, "remove");
    page.click("#remove-yes");
    page.wait_for("document.querySelectorAll('#accounts li').length === 1");
}

/// Chooses an option, as somebody at the page does.
fn choose(page: &Page<'_>, id: &str, value: &str) {
    page.wait_for(&format!(
        "[...document.querySelectorAll('#{id} option')].some((option) => option.value === '{value}')"
    ));
    page.eval(&format!(
        "document.querySelector('#{id}').value = '{value}';
         document.querySelector('#{id}').dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ));
}

/// A page of the browser after somebody has signed in there.
fn enter(page: &Page<'_>, name: &str) {
    sign_out(page);
    sign_in(page, name, PASSWORD);
    await_inside(page);
}

#[test]
fn people_come_into_a_project_and_go() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    assert_eq!(accept(&server.stranger(), &invite(&server, 2, false), "bob").status, 201);
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    go(&page, "#/projects", "#projects li");
    look_at_console(&page, "projects");
    page.click("#projects li a");
    await_words(&page, "#members + p", "Nobody belongs");
    page.click("#add-member summary");
    fill(&page, "member-name", "nobody");
    press(&page, "Enter");
    await_words(&page, "#add-member [role=alert]", "Nobody here has this name.");
    fill(&page, "member-name", "bob");
    choose(&page, "member-role", "viewer");
    press(&page, "Enter");
    await_words(&page, "#members", "viewer, since");
    look_at_console(&page, "project");

    go(&page, "#/settings", "#server-table [data-setting=lease-seconds]");
    page.wait_for(
        "document.querySelector('#server-table [data-setting=lease-seconds]').textContent.includes('default')",
    );
    look_at_console(&page, "settings-server");

    enter(&page, "bob");
    go(&page, "#/settings", "#server-settings");
    await_words(&page, "#server-settings", "told to those who administer it");
    assert_eq!(page.eval("document.querySelectorAll('#server-table').length"), 0);
    go(&page, "#/", "#runs [data-run]");
    go(&page, "#/workflows", "[data-workflow]");
    assert_eq!(
        page.eval("document.querySelectorAll('[data-workflow] button, #pick-folder, #pick-files').length"),
        0
    );
    go(&page, &format!("#/runs/{run}"), "#run-page[data-state=STARTED]");
    assert_eq!(page.eval("document.querySelectorAll('#pause-run, #cancel-run').length"), 0);
    go(&page, "#/projects/default", "#members li");
    assert_eq!(page.eval("document.querySelectorAll('#access-page button:not([hidden], .look)').length"), 0);
    look_at_console(&page, "project-viewer");
    go(&page, "#/projects/bees", "#access-page [role=alert] p");
    look_at_console(&page, "project-refused");

    enter(&page, "ada");
    go(&page, "#/projects/default", "#members li");
    choose(&page, "members select", "researcher");
    page.click("[aria-label=\"Set the role of bob\"]");
    await_words(&page, "#members", "researcher, since");
    page.click("[aria-label=\"Take out bob\"]");
    page.wait_for("document.querySelector('#take-out-yes')");
    look_at_console(&page, "take-out");
    page.click("#take-out-yes");
    await_words(&page, "#members + p", "Nobody belongs");
}

/// Presses a button that asks first, and says yes.
fn confirm(page: &Page<'_>, button: &str, question: &str, name: &str) {
    page.click(&format!("[aria-label=\"{button}\"]"));
    page.wait_for(&format!("document.querySelector('#{question}-yes')"));
    look_at_console(page, name);
    page.click(&format!("#{question}-yes"));
}

#[test]
fn a_project_is_called_otherwise_bounded_and_archived() {
    let clock = ShiftedClock::at_now();
    let server = TestServer::start_binary(&clock.server(), &[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    go(&page, "#/projects/default", "#project-usage dl");
    page.click("#quotas summary");
    clock.set(STALE);
    fill(&page, "quota-openJobs", "1000");
    fill(&page, "quota-storedBytes", "1.5");
    press(&page, "Enter");
    fill(&page, "again-password", PASSWORD);
    press(&page, "Enter");
    await_words(&page, "#project-usage", "0 of 1,000");
    await_words(&page, "#project-usage", "0 B of 1.5 MB");
    page.click("#rename summary");
    fill(&page, "project-name", "Deep scope");
    press(&page, "Enter");
    page.wait_for("document.querySelector('#access-page h1').innerText === 'Deep scope'");
    look_at_console(&page, "project-bounded");
    confirm(&page, "Archive Deep scope", "archive", "archive");
    await_words(&page, "#project-facts", "Archived");
    look_at_console(&page, "project-archived");
    go(&page, "#/projects", "#projects .badge");
    look_at_console(&page, "projects-archived");
    go(&page, "#/projects/default", "#project-facts .deed button");
    confirm(&page, "Restore Deep scope", "archive", "restore");
    page.wait_for("document.querySelector('[aria-label=\"Archive Deep scope\"]')");
}

#[test]
fn somebody_looks_after_one_project_alone() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    assert_eq!(accept(&server.stranger(), &invite(&server, 2, false), "bob").status, 201);
    go(&page, "#/projects/default", "#members");
    page.click("#add-member summary");
    fill(&page, "member-name", "bob");
    choose(&page, "member-role", "admin");
    press(&page, "Enter");
    await_words(&page, "#members", "project admin, since");

    enter(&page, "bob");
    go(&page, "#/me", "#new-token summary");
    page.click("#new-token summary");
    choose(&page, "token-project", "default");
    fill(&page, "token-name", "cluster");
    press(&page, "Enter");
    page.wait_for("document.querySelector('#tokens li')");
    go(&page, "#/projects/default", "#project-tokens li");
    page.click("#add-member summary");
    page.click("#add-member form button[type=submit]");
    page.wait_for("document.querySelector('#invite-link').value.includes('#link=wvi_')");
    look_at_console(&page, "project-admin");
    page.click("[aria-label=\"Revoke cluster\"]");
    await_words(&page, "#project-tokens", "Revoked");
    go(&page, "#/projects/default/audit", "#audit li");
    await_words(&page, "#audit", "by bob");
    look_at_console(&page, "project-audit");
    fill(&page, "audit-actor", "bob");
    fill(&page, "audit-action", "member.set");
    press(&page, "Enter");
    await_words(&page, "#audit + p", "Nothing that fits.");
}

/// Makes a project, after which the page shows it.
fn make_project(page: &Page<'_>, slug: &str, name: &str) {
    go(page, "#/projects", "#project-slug");
    fill(page, "project-name", name);
    fill(page, "project-slug", slug);
    press(page, "Enter");
    await_words(page, "#access-page h1", name);
}

#[test]
fn one_of_several_projects_is_chosen_in_the_head() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = first_admin(&server, &browser);
    go(&page, "#/", "#overview-page");
    assert_eq!(page.eval("document.querySelector('#switch').hidden"), true, "there is but one");
    make_project(&page, "scope", "Wide scope");
    await_words(&page, "#members + p", "Nobody belongs");
    look_at_console(&page, "project-made");
    let run = server.api().run(&job_workflow("function weevil_main() {}", ""));
    go(&page, "#/", "#runs [data-run]");
    page.wait_for(
        "document.querySelector('#project').value === 'default' && document.querySelector('[data-run]')",
    );
    page.eval("document.querySelector('#project').focus()");
    choose(&page, "project", "scope");
    page.wait_for("document.querySelector('#no-runs') && !document.querySelector('[data-run]')");
    assert_eq!(page.eval("document.activeElement.id"), "project");
    look_at_console(&page, "home-of-a-project");
    page.eval("location.reload()");
    page.wait_for(
        "document.querySelector('#project').value === 'scope' && document.querySelector('#no-runs')",
    );
    go(&page, &format!("#/runs/{run}"), "#run-page[data-state=STARTED]");
    choose(&page, "project", "default");
    page.wait_for("location.hash === '#/' && document.querySelector('#overview-page [data-run]')");
}

#[test]
fn somebody_of_two_other_projects_is_in_the_first() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    people::make_project(&server, 2, "ants");
    people::make_project(&server, 3, "bees");
    let page = browser.open(&server.url(&format!("/console#link={}", invite(&server, 1, false))));
    make_account(&page, "bob", "Bob");
    await_words(&page, "#who", "no project");
    look_at_console(&page, "of-no-project");
    make_member(&server, 2, "bob", Role::Viewer);
    make_member(&server, 3, "bob", Role::Researcher);
    enter(&page, "bob");
    go(&page, "#/", "#overview-page");
    page.wait_for(
        "document.querySelector('#project').value === 'ants' && document.querySelector('#no-runs') && !document.querySelector('#no-runs .primary')",
    );
    choose(&page, "project", "bees");
    page.wait_for("document.querySelector('#no-runs .primary')");
    look_at_console(&page, "home-of-two");
}

#[test]
fn pages_of_the_documentation_have_no_barriers() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let page = browser.open(&server.url("/docs/"));
    for name in [
        "",
        "errors/",
        "errors/diagnostics.html",
        "errors/W0101.html",
        "errors/notSignedIn.html",
        "performance.html",
        "trust.html",
        "tutorials/first-workflow.html",
    ] {
        page.call("Page.navigate", &json!({ "url": server.url(&format!("/docs/{name}")) }));
        page.eval(LOADED);
        look_at_console(&page, &format!("docs-{}", name.trim_end_matches(".html").replace('/', "-")));
    }
}
