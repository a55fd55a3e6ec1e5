//! Jobs that attack their slot: each ends in a named error or with its own value, and the next workflow's job is right.

use weevil_e2e::{Browser, Page, TestServer, job_workflow, pool_workflow, shipped};
use weevil_model::RunState;

/// One job that must fail: what it is, its code, and what the error is called.
struct Bad {
    what: &'static str,
    body: &'static str,
    kind: &'static str,
    words: &'static str,
}

const fn bad(what: &'static str, body: &'static str, kind: &'static str, words: &'static str) -> Bad {
    Bad { what, body, kind, words }
}

const REFUSED: [Bad; 18] = [
    bad("a loop without end", "for (;;);", "timeout", "2000 ms"),
    bad("a promise without end", "return new Promise(function () {})", "timeout", "2000 ms"),
    bad("a then that never answers", "return { then: function () {} }", "timeout", "2000 ms"),
    bad(
        "microtasks without end",
        "(function on() { Promise.resolve().then(on) })(); return new Promise(function () {})",
        "timeout",
        "2000 ms",
    ),
    bad("recursion without end", "(function on() { on() })()", "thrown", ""),
    bad("an array without end", "var all = []; for (;;) all.push(new Array(1e6).fill(all.length))", "", ""),
    bad("a text without end", "var text = 'x'; for (;;) text += text", "thrown", ""),
    bad("a cycle", "var it = {}; it.it = it; return it", "notAValue", "contains itself"),
    bad("a function", "return function () {}", "notAValue", "function"),
    bad("a symbol", "return Symbol('it')", "notAValue", "symbol"),
    bad("a symbol thrown", "throw Symbol('it')", "thrown", "Symbol(it)"),
    bad("undefined thrown", "throw undefined", "thrown", "undefined"),
    bad("undefined rejected", "return Promise.reject()", "thrown", "undefined"),
    bad(
        "a getter that throws",
        "return { get it() { throw new Error('caught you') } }",
        "thrown",
        "caught you",
    ),
    bad(
        "a proxy that throws",
        "return new Proxy({}, { ownKeys: function () { throw new Error('caught you') }, getPrototypeOf: function () { throw new Error('caught you') } })",
        "thrown",
        "caught you",
    ),
    bad(
        "a proxy that is an error",
        "throw new Proxy(new Error('x'), { get: function () { throw 1 }, getPrototypeOf: function () { throw 2 } })",
        "thrown",
        "cannot be shown",
    ),
    bad("200 megabytes", "return new Uint8Array(200e6)", "tooLarge", "16777216"),
    bad("an array of 2^31 holes", "var it = []; it.length = 2147483648; return it", "tooLarge", "16777216"),
];

fn still_right(server: &TestServer, what: &str) {
    let view = server.api().await_end(&server.api().run(&shipped("add")));
    assert_eq!(view.result, Some(157.into()), "after {what}");
}

fn one_slot<'b>(server: &TestServer, browser: &'b Browser) -> Page<'b> {
    browser.open(&server.url("/?autostart&slots=1"))
}

#[test]
fn each_ends_in_a_named_error_and_the_next_job_is_right() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = one_slot(&server, &browser);
    for Bad { what, body, kind, words } in REFUSED {
        let code = format!("function weevil_main() {{ {body} }}");
        // Only what may never end by itself is to meet its time-out.
        let seconds = if matches!(kind, "timeout" | "") { 2 } else { 50 };
        let run = server.api().run(&job_workflow(&code, &format!("retries=\"0\" timeout=\"{seconds}\"")));
        let view = server.api().await_end(&run);
        assert_eq!(view.summary.state, RunState::Failed, "{what}");
        let attempts = view.error.expect("a failed run says why").attempts;
        let error = attempts.first().expect("at least one attempt");
        assert!(kind.is_empty() || error.kind == kind, "{what}: {error:?}");
        assert!(error.message.contains(words), "{what}: {error:?}");
        still_right(&server, what);
    }
}

/// What the engine does about it is its own affair: an error in the job, or the end of the job worker.
#[test]
fn a_job_that_eats_all_memory_costs_its_slot_only() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let tab = one_slot(&server, &browser);
    let code =
        "function weevil_main() { var all = []; for (;;) all.push(new Array(1e6).fill(all.length + 0.5)) }";
    let view = server.api().await_end(&server.api().run(&job_workflow(code, r#"retries="0" timeout="40""#)));
    eprintln!("{:?}", view.error);
    let error = view.error.expect("a failed run says why").attempts.remove(0);
    assert!(["crashed", "thrown", "timeout"].contains(&error.kind.as_str()), "{error:?}");
    still_right(&server, "a job that eats all memory");
    assert_eq!(tab.eval("document.documentElement.dataset.state !== 'refused'"), true);
}

/// Changes to the realm that the runtime must not notice: the job that makes them ends well, and so does the next
/// job of the same workflow, in the same job worker.
const TAMPERING: [(&str, &str); 9] = [
    ("push", "Array.prototype.push = function () { throw new Error('push') }"),
    ("then", "Promise.prototype.then = function () { throw new Error('then') }"),
    (
        "constructor",
        "try { Object.defineProperty(Promise.prototype, 'constructor', { get: function () { throw new Error('constructor') } }) } catch (pinned) { }",
    ),
    ("postMessage", "MessagePort.prototype.postMessage = function () { throw new Error('postMessage') }"),
    (
        "indices",
        "[0, 1, 2, 3].forEach(function (at) { Object.defineProperty(Array.prototype, at, { configurable: true, set: function (it) { if (it && it.seq) it.seq = 999; Object.defineProperty(this, at, { value: it, writable: true, enumerable: true, configurable: true }) } }) })",
    ),
    (
        "iteration",
        "Array.prototype[Symbol.iterator] = Array.prototype.values = function () { throw new Error('iteration') }",
    ),
    (
        "text",
        "String.prototype.replace = String.prototype.slice = RegExp.prototype.exec = function () { throw new Error('text') }",
    ),
    ("weevil_main", "Object.defineProperty(self, 'weevil_main', { value: 5, configurable: false })"),
    (
        "realm",
        "self.eval = self.Uint8Array = self.DataView = self.performance = self.Error = Object.keys = null",
    ),
];

#[test]
fn a_changed_realm_does_not_change_the_runtime() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _tab = one_slot(&server, &browser);
    for (what, statement) in TAMPERING {
        let processor = format!(
            "async function weevil_main(n) {{ try {{ {statement} }} catch (again) {{ }} return n + 1 }}"
        );
        let reducer = "function weevil_main(all) { var sum = 0; for (var i = 0; i < all.length; i++) sum += all[i]; return sum }";
        let view = server.api().await_end(&server.api().run(&pool_workflow("[1,2,3]", &processor, reducer)));
        assert_eq!(view.result, Some(9.into()), "{what}: {:?}", view.error);
        still_right(&server, what);
    }
}
