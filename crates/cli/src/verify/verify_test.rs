//! Certificates with real signatures, compared with a workflow, a result and a key; and the example of docs/certificate.md.

use std::path::{Path, PathBuf};
use std::{fs, iter};

use ring::signature::{Ed25519KeyPair, KeyPair};
use tempfile::TempDir;
use weevil_model::ContentHash;
use weevil_trust::certificate::testing::{RESULT, files, lines, number, recount, seal};
use weevil_trust::certificate::{
    AnswerFate, EndLine, HeadLine, Hex, InputEntry, JobLine, Line, LotLine, PublicKey, StatedBasis,
};

use super::Verify;
use super::command::Again;

fn pair(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()
}

fn key(pair: &Ed25519KeyPair) -> PublicKey {
    Hex(pair.public_key().as_ref().try_into().unwrap())
}

fn signed(lines: &[Line], pair: &Ed25519KeyPair) -> String {
    seal(lines, &|message| pair.sign(message).as_ref().try_into().unwrap())
}

fn head(lines: &mut [Line]) -> &mut HeadLine {
    match lines.first_mut() {
        Some(Line::Head(head)) => head,
        other => panic!("{other:?}"),
    }
}

fn job(lines: &mut [Line], at: usize) -> &mut JobLine {
    match &mut lines[at - 1] {
        Line::Job(job) => job,
        other => panic!("line {at} is {other:?}"),
    }
}

fn end(lines: &mut [Line]) -> &mut EndLine {
    match lines.last_mut() {
        Some(Line::End(end)) => end,
        other => panic!("{other:?}"),
    }
}

/// Another value of a job, on which all agree as they did.
fn turn(lines: &mut [Line], at: usize, value: u32) {
    let job = job(lines, at);
    job.digest = Some(number(value));
    for answer in job.answers.iter_mut().filter(|answer| answer.fate == AnswerFate::Agreed) {
        answer.digest = Some(number(value));
    }
}

/// A folder with whatever `weevil verify` is given.
struct Desk(TempDir);

impl Desk {
    fn new() -> Self {
        let desk = Self(TempDir::new().unwrap());
        fs::create_dir(desk.path("workflow")).unwrap();
        for (path, text) in files() {
            fs::write(desk.path("workflow").join(path), text).unwrap();
        }
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        path
    }

    /// `Ok`: what is told. The inner error: line and words; the outer one: what cannot be read.
    fn verify(
        &self,
        certificate: &str,
        workflow: bool,
        result: Option<&str>,
        key: Option<&str>,
    ) -> Result<Result<String, (u64, String)>, String> {
        let asked = Verify {
            file: self.put("certificate", certificate),
            workflow: workflow.then(|| self.path("workflow")),
            result: result.map(|text| self.put("result", text)),
            key: key.map(|text| self.put("key", text)),
            again: Again::default(),
        };
        let told = asked.verify()?;
        Ok(told.map(|lines| lines.join("\n")).map_err(|broken| (broken.line, broken.to_string())))
    }
}

#[test]
fn what_holds_is_told_with_what_nobody_has_checked() {
    let (desk, pair) = (Desk::new(), pair(7));
    let key = format!("{}\n", key(&pair));
    for (policy, workflow, result, key, told, not_told) in [
        (
            "none",
            false,
            None,
            None,
            &["14 at the first word", "(--workflow)", "(--result)", "(--key)"][..],
            &["At most"][..],
        ),
        (
            "quorum(2)",
            true,
            None,
            None,
            &["14 by devices that agree; 1 refuted, 0 void", "input of `pool` was split"],
            &["(--workflow)"],
        ),
        (
            "credible(0.001)",
            true,
            Some("232"),
            Some(&*key),
            &["12 in 2 lots, 2 by devices", "At most 1 in ", "5 % of the work", "is FINISHED"],
            &["(--"],
        ),
        ("credible(0.01)", false, Some("232.0\n"), None, &["(--workflow)"], &["(--result)"]),
    ] {
        let certificate = signed(&lines(policy, self::key(&pair)), &pair);
        let words = desk.verify(&certificate, workflow, result, key).unwrap();
        let words = words.unwrap_or_else(|broken| panic!("{policy}: {broken:?}"));
        assert!(told.iter().all(|told| words.contains(told)), "{policy}: {words}");
        assert!(!not_told.iter().any(|told| words.contains(told)), "{policy}: {words}");
    }
}

type Tampering = (&'static str, &'static str, u64, &'static str, fn(&mut Vec<Line>));

const EDGES: [Tampering; 21] = [
    ("another code", "none", 2, "`numbers/pool/0/double`, the code: expected", |it| {
        job(it, 2).code = number(1);
    }),
    ("another source", "none", 2, "the source: expected double.js, found add.js", |it| {
        job(it, 2).source = "add.js".into();
    }),
    ("another type", "none", 14, "the type: expected Number, found nothing", |it| job(it, 14).returns = None),
    ("an argument more", "none", 14, "the number of arguments: expected 2, found 3", |it| {
        job(it, 14).inputs.push(number(1));
    }),
    ("a looser agree", "quorum(2)", 14, "the agree: expected exact, found near(1)", |it| {
        let job = job(it, 14);
        job.agree = "near(1)".parse().unwrap();
        job.answers[1].digest = Some(number(233));
    }),
    ("a proof of its own", "quorum(2)", 14, "the proof: expected nothing, found", |it| {
        let job = job(it, 14);
        (job.proof, job.basis) = (Some(number(1)), Some(StatedBasis::Proved));
        job.answers.truncate(1);
    }),
    ("another argument", "quorum(2)", 14, "the argument `a`, which is the value of `pool`: expected", |it| {
        job(it, 14).inputs[0] = number(133);
    }),
    ("another literal", "credible(0.01)", 14, "the argument `b`, which is the value of `more`", |it| {
        job(it, 14).inputs[1] = number(101);
    }),
    ("arguments in another order", "none", 14, "the argument `a`", |it| job(it, 14).inputs.swap(0, 1)),
    ("a value of its own", "none", 14, "the argument `b`, which is the value of `more`", |it| {
        head(it).inputs = vec![InputEntry { node: "more".into(), digest: number(101) }];
    }),
    ("a value of what computes", "none", 1, "expected value nodes of the workflow, found `pool`", |it| {
        head(it).inputs = vec![InputEntry { node: "pool".into(), digest: number(101) }];
    }),
    ("what was reduced", "credible(0.001)", 15, "the argument of the reducer of `pool`: expected", |it| {
        job(it, 15).inputs[0] = number(1);
    }),
    ("an element's value", "credible(0.001)", 15, "the argument of the reducer of `pool`", |it| {
        turn(it, 7, 7);
    }),
    ("the reducer's value", "credible(0.001)", 14, "the value of `pool`", |it| turn(it, 15, 7)),
    ("an element less", "none", 14, "the number: expected 9, found 10", |it| drop(it.remove(12))),
    ("no reducer", "none", 14, "the value of `pool`: expected nothing", |it| drop(it.remove(14))),
    ("a job of no node", "none", 2, "expected that of a job of the workflow", |it| {
        let job = job(it, 2);
        job.path = "numbers/pool/00/double".into();
        job.seed = Hex(weevil_model::job_seed(42, &job.path).to_be_bytes());
    }),
    ("another workflow", "none", 1, "the workflow: expected", |it| head(it).workflow = Some(number(1))),
    ("another document", "none", 1, "the document: expected workflow.xml, found b.xml", |it| {
        head(it).document = Some("b.xml".into());
    }),
    ("another result", "none", 16, "the result, which is the value of `last`", |it| {
        end(it).result = Some(number(1));
    }),
    ("the last job's value", "none", 16, "the result, which is the value of `last`", |it| turn(it, 14, 7)),
];

#[test]
fn what_does_not_come_from_the_workflow_is_found_with_its_line() {
    let (desk, pair) = (Desk::new(), pair(7));
    for (what, policy, line, words, tamper) in EDGES {
        let mut lines = lines(policy, key(&pair));
        tamper(&mut lines);
        let certificate = signed(&recount(&lines), &pair);
        assert!(desk.verify(&certificate, false, None, None).unwrap().is_ok(), "{what} without the workflow");
        let (at, told) = desk.verify(&certificate, true, None, None).unwrap().expect_err(what);
        assert!(at == line && told.contains(words), "{what}: {told}");
    }
}

#[test]
fn a_value_that_the_run_was_given_takes_the_place_of_the_document_s() {
    let (desk, pair) = (Desk::new(), pair(7));
    let mut lines = lines("none", key(&pair));
    head(&mut lines).inputs = vec![InputEntry { node: "more".into(), digest: number(1) }];
    job(&mut lines, 14).inputs[1] = number(1);
    let told = desk.verify(&signed(&recount(&lines), &pair), true, None, None).unwrap();
    assert!(told.is_ok(), "{told:?}");
}

#[test]
fn files_are_compared_with_what_is_given() {
    let (desk, mine, other) = (Desk::new(), pair(7), pair(8));
    let lines = lines("credible(0.001)", key(&mine));
    let whole = signed(&lines, &mine);
    let (mine, others) = (key(&mine).to_string(), key(&other).to_string());
    let unsigned = seal(&lines, &|_| [0; 64]);
    for (what, file, result, key, line, words) in [
        ("another result", whole.clone(), Some("233"), None, 18, "the result: expected"),
        ("another key", whole.clone(), None, Some(&*others), 1, "the server's key: expected"),
        (
            "a signature of another",
            signed(&lines, &other),
            None,
            None,
            18,
            "the signature: expected one by the key",
        ),
        ("the same with the key at hand", signed(&lines, &other), None, Some(&*mine), 18, "the signature"),
        (
            "a cut file",
            whole.lines().take(9).flat_map(|line| [line, "\n"]).collect(),
            None,
            None,
            10,
            "found the end of the file",
        ),
        (
            "a cut line",
            whole[..whole.len() - 1].to_owned(),
            None,
            None,
            18,
            "the line: expected an end after",
        ),
        ("no signature", unsigned, None, None, 18, "the signature: expected one by the key"),
        ("nothing", String::new(), None, None, 1, "expected a head, found the end of the file"),
        ("no certificate", "\u{1b}[2J\n".to_owned(), None, None, 1, "the line: expected a head"),
    ] {
        let (at, told) = desk.verify(&file, false, result, key).unwrap().expect_err(what);
        assert!(at == line && told.contains(words), "{what}: {told}");
    }
}

#[test]
fn what_cannot_be_read_is_told() {
    let (desk, pair) = (Desk::new(), pair(7));
    let whole = signed(&lines("none", key(&pair)), &pair);
    for (result, key, words) in [
        (Some("{"), None, "no value can be read in"),
        (Some("{\"$number\":\"x\"}"), None, "no value can be read in"),
        (None, Some("0707"), "64 hexadecimal digits are expected"),
    ] {
        let why = desk.verify(&whole, false, result, key).expect_err(words);
        assert!(why.contains(words), "{why}");
    }
    let asked = |file: &str, workflow: &str| Verify {
        file: desk.path(file),
        workflow: Some(desk.path(workflow)),
        result: None,
        key: None,
        again: Again::default(),
    };
    for (asked, words) in [
        (asked("nowhere", "workflow"), "cannot read"),
        (asked("certificate", "nowhere"), "cannot read"),
        (asked("workflow", "workflow"), "cannot read"),
    ] {
        let why = asked.verify().expect_err(words);
        assert!(why.contains(words), "{why}");
    }
    desk.put("workflow/workflow.xml", "<workflow/>");
    let why = asked("certificate", "workflow").verify().expect_err("no workflow");
    assert!(why.contains("is not a workflow") && why.contains("`weevil check`"), "{why}");
}

#[test]
fn a_line_that_is_too_long_is_not_read_to_its_end() {
    let desk = Desk::new();
    let long: String = iter::repeat_n('x', weevil_trust::certificate::MAX_LINE_BYTES + 2).collect();
    let (at, told) = desk.verify(&long, false, None, None).unwrap().expect_err("too long");
    assert!(at == 1 && told.contains("found more bytes"), "{told}");
}

/// The run of the page: two elements, one lot, and their sum.
fn example(pair: &Ed25519KeyPair) -> String {
    let mut lines = lines("credible(0.01)", key(pair));
    lines.retain(|line| match line {
        Line::Head(_) | Line::End(_) => true,
        Line::Job(JobLine { path, .. }) => {
            ["numbers/pool/0/double", "numbers/pool/1/double", "numbers/pool/sum"].contains(&&**path)
        }
        Line::Lot(LotLine { answers, .. }) => *answers == 8,
    });
    turn(&mut lines, 4, 2);
    let elements = [number(0), number(2)];
    job(&mut lines, 4).inputs =
        vec![ContentHash::of_joined(elements.iter().map(|element| element.as_bytes().as_slice()))];
    if let Line::Lot(lot) = &mut lines[4] {
        lot.answers = 2;
    }
    // Networks are numbered anew: each device has one.
    let mut known = Vec::new();
    for line in &mut lines {
        let Line::Job(job) = line else { continue };
        for answer in &mut job.answers {
            let place = known.iter().position(|known| *known == answer.device).unwrap_or(known.len());
            known.truncate(known.len().max(place));
            if place == known.len() {
                known.push(answer.device);
            }
            answer.network = Some(u32::try_from(place + 1).unwrap());
        }
    }
    end(&mut lines).result = Some(number(2));
    signed(&recount(&lines), pair)
}

#[test]
fn the_example_of_the_page_holds() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/certificate.md");
    let page = fs::read_to_string(page).unwrap();
    let block = |start: &str| {
        let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start}"));
        rest.split_once("```").unwrap().0.to_owned()
    };
    let (desk, pair) = (Desk::new(), pair(7));
    let shown = block("```json\n");
    let expected = example(&pair);
    assert_eq!(shown, expected, "the page is to show\n{expected}");
    let key = key(&pair).to_string();
    let told = desk.verify(&shown, false, Some("2"), Some(&key)).unwrap();
    let told = told.unwrap_or_else(|broken| panic!("{broken:?}"));
    assert_eq!(
        block("```text\n$ weevil verify run.certificate --result result.json --key server.key\n"),
        format!("{told}\n"),
        "{told}"
    );
    assert_eq!(RESULT, 232, "that of the whole run");
}
