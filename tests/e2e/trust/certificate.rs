//! Certificates of a real server: fetched and verified from the command line, and every tampering found at its line, also where
//! whoever did it has signed anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ring::signature::{Ed25519KeyPair, KeyPair};
use tempfile::TempDir;
use weevil_e2e::{DatabaseKind, Files, Form, Guest, TestServer, default_binary, number, on_each_database};
use weevil_model::{Capabilities, ContentHash, Needs};

use super::lots::{per_job, pool, start};
use super::referee::{A_CORE, said};
use super::scene::{BEHIND_A_PROXY, answer, jobs, judged_run, put_judged, result, story, tab_of, volunteer};
use super::volunteers::{CHROMIUM, RIGHT, end, fleet};
use crate::wasm::constant;

const KEY: &str = "/.well-known/weevil-key";
const RESULT: &str = "7140\n";

on_each_database!(what_a_server_writes_holds);

/// Files beside each other: certificates, and what they are compared with.
pub(super) struct Desk(TempDir);

impl Desk {
    pub(super) fn new(server: &TestServer) -> Self {
        let desk = Self(TempDir::new().expect("a folder"));
        let key = server.api().get(KEY).into_body().read_to_string().expect("a key");
        desk.write("server.key", &key);
        desk.write("result.json", RESULT);
        desk.keep("workflow", &pool("function weevil_main(n) { return n }"));
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    pub(super) fn keep(&self, folder: &str, files: &Files) {
        fs::create_dir(self.path(folder)).expect("a folder");
        for (path, bytes) in files {
            fs::write(self.path(folder).join(path), bytes).expect("a file");
        }
    }

    /// The lines of the certificate of a run or a job.
    pub(super) fn fetch(&self, server: &TestServer, of: &str) -> Vec<String> {
        let path = self.path("certificate");
        let (code, words) = weevil(
            server.command().args(["certificate", of, "-o"]).arg(&path).args(["--server", &server.url("")]),
        );
        assert_eq!(code, 0, "{words}");
        let text = fs::read_to_string(path).expect("a certificate");
        text.lines().map(str::to_owned).collect()
    }

    /// How `weevil verify` exits, and what it says, of these lines.
    pub(super) fn verify(&self, lines: &[String], more: &[&str]) -> (i32, String) {
        self.write("read", &(lines.join("\n") + "\n"));
        self.verify_file("read", more)
    }

    fn verify_file(&self, name: &str, more: &[&str]) -> (i32, String) {
        let more = more.iter().map(|word| self.named(word));
        weevil(Command::new(default_binary()).arg("verify").arg(self.path(name)).args(more))
    }

    /// A word that begins with `@` is a file here.
    fn named(&self, word: &str) -> PathBuf {
        word.strip_prefix('@').map_or_else(|| Path::new(word).to_owned(), |name| self.path(name))
    }
}

fn weevil(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout) + &text(&output.stderr))
}

const WHOLE: [&str; 6] = ["--workflow", "@workflow", "--result", "@result.json", "--key", "@server.key"];

fn what_a_server_writes_holds(database: DatabaseKind) {
    let server = database.server_with(&BEHIND_A_PROXY);
    let desk = Desk::new(&server);
    let three = fleet(&server, &[(1, CHROMIUM, RIGHT), (2, CHROMIUM, RIGHT), (3, CHROMIUM, RIGHT)]);
    for (policy, told) in [
        ("credible(0.01)", "121 jobs"),
        ("credible(0.01)", " lots, "),
        ("quorum(2)", "121 jobs, 242 answers: 121 by devices that agree"),
    ] {
        let run = start(&server, policy);
        per_job(&server, &run);
        let lines = desk.fetch(&server, &run);
        let (code, words) = desk.verify(&lines, &WHOLE);
        assert_eq!(code, 0, "{policy}: {words}");
        assert!(words.contains(told) && words.contains(&format!("holds: {run}")), "{policy}: {words}");
        assert_eq!(desk.fetch(&server, &run), lines, "it is the same again");
    }
    end(server, three);
}

/// Which line.
#[derive(Debug, Clone, Copy)]
enum At {
    Head,
    FirstJob,
    /// An element that one device alone has computed.
    Unchecked,
    AfterUnchecked,
    /// The lot of that element.
    ItsLot,
    /// An element that chance has chosen.
    Chosen,
    ChosenLot,
    Reducer,
    End,
}

#[derive(Debug)]
enum Edit {
    Swap(&'static str, &'static str),
    /// The hexadecimal digit behind this.
    Flip(&'static str),
    Drop,
    Twice,
}

use At::{AfterUnchecked, Chosen, ChosenLot, End, FirstJob, Head, ItsLot, Reducer, Unchecked};
use Edit::{Drop, Flip, Swap, Twice};

const TAMPERINGS: [(At, Edit, At, &str); 26] = [
    (Head, Flip(r#""seed":""#), FirstJob, "the seed"),
    (Head, Swap(r#""policy":"credible(0.01)""#, r#""policy":"credible(0.001)""#), Head, "the plan"),
    (Head, Swap(r#""assumed":"0.05""#, r#""assumed":"0.2""#), Head, "the plan"),
    (Head, Swap(r#""small":1"#, r#""small":2"#), Head, "the plan"),
    (Head, Flip(r#""workflow":""#), Head, "the workflow"),
    (Head, Swap("workflow.xml", "other.xml"), Head, "the document"),
    (Unchecked, Flip(r#""code":""#), Unchecked, "the code"),
    (Unchecked, Swap("Each.js", "each.js"), Unchecked, "the source"),
    (Unchecked, Flip(r#""seed":""#), Unchecked, "the seed"),
    (Unchecked, Swap(r#""returns":"Number""#, r#""returns":"String""#), Unchecked, "the type"),
    (Unchecked, Flip(r#""digest":""#), Unchecked, "what has agreed"),
    (Unchecked, Swap("credible(0.01)", "quorum(2)"), Unchecked, "the policy"),
    (Unchecked, Swap(r#""basis":"lot""#, r#""basis":"agreed""#), Unchecked, "the basis"),
    (Unchecked, Swap(r#""doubted":false"#, r#""doubted":true"#), End, "doubted jobs"),
    (Unchecked, Swap(r#""fate":"agreed""#, r#""fate":"void""#), Unchecked, "the basis"),
    (Unchecked, Swap(r#""points":3"#, r#""points":2"#), Unchecked, "the points"),
    (Unchecked, Swap("established", "trusted"), Unchecked, "the points"),
    (Unchecked, Drop, ItsLot, "the answers"),
    (Unchecked, Twice, AfterUnchecked, "the path"),
    (Chosen, Swap(r#""chosen":true"#, r#""chosen":false"#), ChosenLot, "passed"),
    (Chosen, Swap(r#""role":"check""#, r#""role":"first""#), Chosen, "the role"),
    (Reducer, Flip(r#""inputs":[""#), Reducer, "the argument of the reducer"),
    (ItsLot, Swap(r#""fate":"accepted""#, r#""fate":"open""#), ItsLot, "a lot that is open"),
    (ItsLot, Flip(r#""device":""#), ItsLot, "the device"),
    (End, Flip(r#""result":""#), End, "the result"),
    (End, Swap(r#""jobs":121"#, r#""jobs":120"#), End, "jobs"),
];

/// The place of a line, from 0 on.
fn find(lines: &[String], at: At) -> usize {
    let has = |words: &[&str], from: usize| {
        let fits = |line: &String| words.iter().all(|word| line.contains(word));
        from + lines[from..].iter().position(fits).unwrap_or_else(|| panic!("no line has {words:?}"))
    };
    let unchecked = || {
        let alone =
            |line: &String| line.contains(r#""basis":"lot""#) && line.matches(r#""role":"#).count() == 1;
        lines.iter().rposition(alone).expect("one that nobody else has computed")
    };
    let lot_of = |line: &str| {
        let (_, number) = line.split_once(r#""lot":""#).expect("it is in a lot");
        has(&[&format!(r#"{{"lot":{{"lot":"{}""#, &number[..16])], 0)
    };
    match at {
        Head => 0,
        FirstJob => 1,
        Unchecked => unchecked(),
        AfterUnchecked => unchecked() + 1,
        ItsLot => lot_of(&lines[unchecked()]),
        Chosen => has(&[r#""chosen":true"#], 0),
        ChosenLot => lot_of(&lines[has(&[r#""chosen":true"#], 0)]),
        Reducer => has(&["Sum.js"], 0),
        End => lines.len() - 1,
    }
}

fn tamper(lines: &mut Vec<String>, place: usize, edit: &Edit) {
    let line = lines[place].clone();
    match edit {
        Swap(from, to) => lines[place] = line.replacen(from, to, 1),
        Flip(key) => {
            let digit = line.find(key).unwrap_or_else(|| panic!("no {key} in {line}")) + key.len();
            let other = if line[digit..].starts_with('0') { "1" } else { "0" };
            lines[place].replace_range(digit..=digit, other);
        }
        Drop => drop(lines.remove(place)),
        Twice => lines.insert(place, line.clone()),
    }
    assert!(lines.get(place) != Some(&line) || matches!(edit, Twice), "{edit:?} changes nothing of {line}");
}

/// Signs all of it anew, with another key.
fn reseal(lines: &mut [String]) {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[9; 32]).expect("32 bytes");
    let put = |line: &str, key: &str, value: &str| {
        let at = line.find(key).expect("it has one") + key.len();
        let rest = line[at..].find('"').expect("it ends") + at;
        format!("{}{value}{}", &line[..at], &line[rest..])
    };
    lines[0] = put(&lines[0], r#""key":""#, &hex(pair.public_key().as_ref()));
    let (end, body) = lines.split_last_mut().expect("a certificate has lines");
    let mut root = ContentHash::of(body[0].as_bytes());
    for line in &body[1..] {
        root = ContentHash::of_joined([root.as_bytes().as_slice(), line.as_bytes()]);
    }
    *end = put(end, r#""root":""#, &root.to_string());
    let (message, _) = end.split_once(r#","signature":"#).expect("a signature");
    let signature = hex(pair.sign(format!("{message}}}}}").as_bytes()).as_ref());
    *end = put(end, r#""signature":""#, &signature);
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// A run by devices that are known, and its certificate.
fn certified(server: &TestServer, desk: &Desk) -> Vec<String> {
    per_job(server, &start(server, "credible(0.01)"));
    let run = start(server, "credible(0.01)");
    per_job(server, &run);
    desk.fetch(server, &run)
}

#[test]
fn whatever_is_changed_is_found_at_its_line() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let desk = Desk::new(&server);
    let three = fleet(&server, &[(1, CHROMIUM, RIGHT), (2, CHROMIUM, RIGHT), (3, CHROMIUM, RIGHT)]);
    let lines = certified(&server, &desk);
    let unkeyed = &WHOLE[..4];
    let mut resealed = lines.clone();
    reseal(&mut resealed);
    assert_eq!(desk.verify(&resealed, unkeyed).0, 0, "whose key it is only --key tells");
    for (at, edit, told, words) in &TAMPERINGS {
        let mut changed = lines.clone();
        let line = find(&lines, *told) + 1 - usize::from(matches!(edit, Drop));
        tamper(&mut changed, find(&lines, *at), edit);
        let unsigned = desk.verify(&changed, unkeyed);
        assert_eq!(unsigned.0, 1, "{at:?} {edit:?}: {}", unsigned.1);
        reseal(&mut changed);
        let (code, found) = desk.verify(&changed, unkeyed);
        assert_eq!(code, 1, "{at:?} {edit:?}: {found}");
        let place = format!("line {line}");
        assert!(
            found.contains(&place) && found.contains(words),
            "{at:?} {edit:?}, {place}, {words}: {found}"
        );
    }
    signed_and_whole(&desk, &lines, &resealed);
    end(server, three);
}

/// Another key, a file that is cut, one that is not there.
fn signed_and_whole(desk: &Desk, lines: &[String], resealed: &[String]) {
    let (code, words) = desk.verify(resealed, &WHOLE);
    assert_eq!((code, words.contains("line 1")), (1, true), "{words}");
    let mut swapped = lines.to_vec();
    swapped.swap(1, 2);
    assert_eq!(desk.verify(&swapped, &WHOLE).0, 1);
    let (code, words) = desk.verify(&lines[..lines.len() - 1], &WHOLE);
    assert_eq!((code, words.contains(&format!("line {}", lines.len()))), (1, true), "{words}");
    desk.write("cut", &lines.join("\n"));
    let (code, words) = desk.verify_file("cut", &WHOLE);
    assert_eq!((code, words.contains(&format!("line {}", lines.len()))), (1, true), "{words}");
    assert_eq!(desk.verify_file("nothing", &WHOLE).0, 2);
}

#[test]
fn what_the_server_has_checked_is_told_as_its_word() {
    let server = TestServer::start(&A_CORE);
    let desk = Desk::new(&server);
    let job = said(&server, number(7.0));
    let run = story(&server, job).run.expect("it is of one");
    server.api().await_end(&run);
    let lines = desk.fetch(&server, &run);
    for words in [r#""basis":"referee""#, r#""engine":"server","rank":"trusted","points":6,"role":"referee""#]
    {
        assert!(lines[1].contains(words), "{words}: {}", lines[1]);
    }
    let (code, words) = desk.verify(&lines, &["--key", "@server.key"]);
    assert!(code == 0 && words.contains("1 job, 2 answers: 1 computed by the server"), "{code}: {words}");
}

#[test]
fn a_job_that_stands_alone_has_one_and_what_nobody_judges_has_none() {
    let server = TestServer::start(&BEHIND_A_PROXY);
    let desk = Desk::new(&server);
    let (job, later) = (put_judged(&server, "quorum(2)", 9), put_judged(&server, "quorum(2)", 0));
    for by in 1..=2 {
        answer(&mut volunteer(&server, by), job, number(7.0));
    }
    result(&server, job);
    let lines = desk.fetch(&server, &job.to_string());
    assert_eq!(lines.len(), 3, "{lines:?}");
    desk.write("seven.json", "7");
    let (code, words) = desk.verify(&lines, &["--result", "@seven.json", "--key", "@server.key"]);
    assert!(code == 0 && words.contains("1 job, 2 answers: 1 by devices that agree"), "{code}: {words}");
    let (run, part) = judged_run(&server, "none");
    for of in [later.to_string(), run, part.to_string()] {
        let mut command = server.command();
        let (code, words) = weevil(command.args(["certificate", &of, "--server", &server.url("")]));
        assert!(code == 2 && words.contains("no certificate"), "{of}: {code} {words}");
    }
}

/// Two that agree are believed, whatever they say: only who computes it again finds out.
#[test]
fn a_module_is_computed_again() {
    for (said, code, words) in [(7.0, 0, "1 of 1 job of modules"), (8.0, 1, "as it was computed again")] {
        let server = TestServer::start(&BEHIND_A_PROXY);
        let desk = Desk::new(&server);
        let run = server.api().run_form(&Form::of(&constant(7)).text("trust", "quorum(2)")).run;
        let job = jobs(&server, &run, 1).remove(0).id.parse().expect("the id of a job");
        for by in 1..=2 {
            let place = format!("198.51.{by}.7");
            let has = Some(Needs { capabilities: Capabilities::WASM, memory_mb: 0 });
            let guest = Guest { place: Some(&place), has, ..Guest::default() };
            answer(&mut tab_of(&server, Some(by), guest), job, number(said));
        }
        server.api().await_end(&run);
        let lines = desk.fetch(&server, &run);
        desk.write("read", &(lines.join("\n") + "\n"));
        assert_eq!(desk.verify_file("read", &[]).0, 0, "{said}");
        let mut command = server.command();
        command.arg("verify").arg(desk.path("read")).args(["--recompute", "3", "--server", &server.url("")]);
        let (exit, told) = weevil(&mut command);
        assert!(exit == code && told.contains(words), "{said}: {exit} {told}");
    }
}
