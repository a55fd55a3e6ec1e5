//! Two volunteers whose zones and languages differ, and jobs that try to tell them apart.

use serde_json::{Value, json};
use weevil_e2e::{Browser, Firefox, Home, TestServer};

const LAB: &str = include_str!("lab.js");
const EXPRESSIONS: &str = include_str!("expressions.js");
const HOMES: [Home; 2] =
    [Home { zone: "Asia/Kolkata", language: "de-DE" }, Home { zone: "America/St_Johns", language: "en-US" }];
/// What the page itself is told, where nobody hides it.
const OF_THE_PAGE: &str = "[new Date(2013, 6, 1).getTimezoneOffset(), navigator.language].join()";

/// Answers how many expressions there are, and what a job makes of each in a realm of either kind.
fn answers(frozen: bool) -> String {
    format!(
        r"(async () => {{
            const expressions = {};
            const ways = expressions.map((expression) => `function () {{ return ${{expression}} }}`);
            const code = `function weevil_main() {{
                return [${{ways.join()}}].map(function (way) {{ try {{ return String(way()) }} catch (no) {{ return 'throws ' + no }} }}).join(String.fromCharCode(10))
            }}`;
            const {{ value, error }} = await lab.open({frozen}).run(code);
            return [expressions.length, value ?? error];
        }})()",
        EXPRESSIONS.trim_end()
    )
}

/// What the page is told, and the answers in both kinds of realms.
fn heard_by(eval: impl Fn(&str) -> Value) -> (Value, [Value; 2]) {
    eval(LAB);
    (eval(OF_THE_PAGE), [false, true].map(|frozen| eval(&answers(frozen))))
}

fn assert_same(browser: &str, [one, other]: [(Value, [Value; 2]); 2]) {
    assert_ne!(one.0, other.0, "{browser}: the profiles do not differ");
    for (mine, theirs) in one.1.iter().zip(&other.1) {
        assert!(mine[0].as_u64().is_some_and(|count| count >= 200), "{browser}: {}", mine[0]);
        let lines =
            |told: &Value| told[1].as_str().map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
        let (mine, theirs) = (lines(mine).expect("answers"), lines(theirs).expect("answers"));
        let differ: Vec<_> = mine.iter().zip(&theirs).filter(|(mine, theirs)| mine != theirs).collect();
        assert!(differ.is_empty() && mine.len() == theirs.len(), "{browser}: {}", json!(differ));
    }
}

#[test]
fn no_expression_tells_two_volunteers_apart() {
    let server = TestServer::start(&[]);
    let url = server.url("/");
    assert_same(
        "Chromium",
        HOMES.map(|home| {
            let browser = Browser::at_home(home);
            let page = browser.open(&url);
            page.wait_for("document.body");
            heard_by(|expression| page.eval(expression))
        }),
    );
    assert_same(
        "Firefox",
        HOMES.map(|home| {
            let browser = Firefox::at_home(home);
            let page = browser.open(&url);
            page.wait_for("document.body");
            heard_by(|expression| page.eval(expression))
        }),
    );
}
