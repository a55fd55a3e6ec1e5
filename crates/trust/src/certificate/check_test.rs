//! Certificates that hold, and how each thing that was changed in one is found: by whom the line was signed does not matter.

use proptest::prelude::*;
use weevil_model::witness::Rank;
use weevil_model::{ContentHash, RunState};

use super::testing::{established, lines, newcomer, number, recount, seal};
use super::*;

const KEY: PublicKey = Hex([7; 32]);
const POLICIES: [&str; 5] = ["none", "quorum(2)", "quorum(7)", "credible(0.01)", "credible(0.001)"];

/// Stands for Ed25519, which is no matter of this crate.
fn sign(key: &[u8; 32], message: &[u8]) -> [u8; 64] {
    let half = ContentHash::of_joined([key.as_slice(), message]);
    let mut whole = [0; 64];
    whole[..32].copy_from_slice(half.as_bytes());
    whole
}

fn mine(message: &[u8]) -> [u8; 64] {
    sign(&KEY.0, message)
}

fn verify(file: &[u8]) -> Result<Summary, Broken> {
    let mut checker = Checker::default();
    for line in file.split_inclusive(|byte| *byte == b'\n') {
        checker.line(line.strip_suffix(b"\n").unwrap_or(b"no end"))?;
    }
    checker.finish()?.prove(|key, message, signature| sign(key, message) == *signature)
}

fn credible() -> Vec<Line> {
    lines("credible(0.001)", KEY)
}

fn job(lines: &mut [Line], at: usize) -> &mut JobLine {
    match &mut lines[at - 1] {
        Line::Job(job) => job,
        other => panic!("line {at} is {other:?}"),
    }
}

fn answer(lines: &mut [Line], at: usize, place: usize) -> &mut AnswerEntry {
    &mut job(lines, at).answers[place]
}

fn lot(lines: &mut [Line], at: usize) -> &mut LotLine {
    match &mut lines[at - 1] {
        Line::Lot(lot) => lot,
        other => panic!("line {at} is {other:?}"),
    }
}

fn head(lines: &mut [Line]) -> &mut HeadLine {
    match &mut lines[0] {
        Line::Head(head) => head,
        other => panic!("{other:?}"),
    }
}

fn end(lines: &mut [Line]) -> &mut EndLine {
    match lines.last_mut() {
        Some(Line::End(end)) => end,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_written_holds() {
    for policy in POLICIES {
        let summary = verify(seal(&lines(policy, KEY), &mine).as_bytes());
        let summary = summary.unwrap_or_else(|broken| panic!("{policy}: {broken}"));
        let counts = summary.end.counts;
        let by_lots = policy.starts_with("credible");
        assert_eq!(counts.jobs, 14, "{policy}");
        assert_eq!((counts.believed.lot, counts.lots), if by_lots { (12, 2) } else { (0, 0) }, "{policy}");
        assert_eq!(summary.end.bound.is_some(), by_lots, "{policy}");
        let error = policy.trim_start_matches("credible(").trim_end_matches(')').parse::<f64>();
        assert!(error.is_err() || summary.end.bound.unwrap() <= error.unwrap(), "{policy}");
    }
}

#[test]
fn the_writer_signs_what_the_checker_reads() {
    let text = seal(&credible(), &mine);
    let Ok(Line::End(end)) = Line::read(text.lines().last().unwrap().as_bytes()) else { panic!("{text}") };
    let message = String::from_utf8(end.message()).unwrap();
    let last = text.lines().last().unwrap();
    let signature = format!(",\"signature\":\"{}\"", end.signature);
    assert_eq!(message, last.replace(&signature, ""));
}

type Tampering = (&'static str, u64, &'static str, fn(&mut Vec<Line>));

/// Line 2 is element 0, where a newcomer was wrong; line 3 element 1, where an answer is void; lines 4 and 5 are elements 10 and 11, of the
/// second device; line 14 is the job, line 15 the reducer, 16 and 17 are the lots, 18 is the end.
const TAMPERINGS: [Tampering; 60] = [
    ("another seed of the run", 2, "the seed: expected", |it| head(it).seed = Some(Number::of(43))),
    ("another policy in the head", 1, "the plan: expected {\"small\":1", |it| {
        head(it).policy = Some("credible(0.01)".parse().unwrap());
    }),
    ("more liars assumed", 1, "the plan: expected", |it| head(it).assumed = "0.2".parse().unwrap()),
    ("a plan of less", 1, "found {\"small\":4,\"devices\":2,\"lot\":194}", |it| {
        head(it).plan.as_mut().unwrap().devices = 2;
    }),
    ("no run", 1, "run, workflow, document and seed together", |it| head(it).run = None),
    ("inputs in another order", 1, "expected a node after `b`, found `a`", |it| {
        let input = |node: &str| InputEntry { node: node.into(), digest: number(1) };
        head(it).inputs = vec![input("b"), input("a")];
    }),
    ("no head", 1, "expected a head, found a job", |it| drop(it.remove(0))),
    ("two heads", 2, "expected a job, a lot or the end, found a head", |it| it.insert(1, it[0].clone())),
    ("jobs in another order", 6, "the path: expected one after `numbers/pool/2/double`", |it| it.swap(4, 5)),
    ("a job twice", 3, "the path: expected one after `numbers/pool/0/double`", |it| {
        it.insert(2, it[1].clone());
    }),
    ("a job after a lot", 16, "expected a lot or the end, found a job", |it| it.swap(14, 15)),
    ("another path", 2, "the seed: expected", |it| job(it, 2).path = "numbers/pool/00/double".into()),
    ("another seed of a job", 5, "`numbers/pool/11/double`, the seed", |it| job(it, 5).seed = Number::of(1)),
    ("another policy of a job", 14, "the policy: expected credible(0.001), found none", |it| {
        job(it, 14).policy = "none".parse().unwrap();
    }),
    ("another value", 6, "what has agreed of answer 1: expected", |it| job(it, 6).digest = Some(number(5))),
    ("another answer", 6, "what has agreed of answer 2", |it| answer(it, 6, 1).digest = Some(number(5))),
    ("a value and an error", 6, "what is believed: expected a digest or an error", |it| {
        job(it, 6).error = Some("thrown".into());
    }),
    ("neither of them", 6, "found nothing and nothing", |it| job(it, 6).digest = None),
    ("an error for a value", 6, "what has agreed of answer 1: expected the error thrown", |it| {
        (job(it, 6).digest, job(it, 6).error) = (None, Some("thrown".into()));
    }),
    ("an answer of nothing", 6, "what is said of answer 1: expected a digest or an error", |it| {
        answer(it, 6, 0).digest = None;
    }),
    ("one device twice", 6, "answers 1 and 2: expected two that are independent, found device", |it| {
        answer(it, 6, 1).device = answer(it, 6, 0).device;
    }),
    ("one network twice", 6, "found network 2 in both", |it| {
        answer(it, 6, 1).network = answer(it, 6, 0).network;
    }),
    ("nobody", 6, "found nothing to tell them apart by in both", |it| {
        let answer = answer(it, 6, 1);
        (answer.device, answer.network) = (None, None);
    }),
    ("a network of a later number", 2, "the network of answer 1: expected at most 1", |it| {
        answer(it, 2, 0).network = Some(9);
    }),
    ("network 0", 2, "the network of answer 1", |it| answer(it, 2, 0).network = Some(0)),
    ("more points", 6, "the points (established) of answer 2: expected 0 or 3, found 6", |it| {
        answer(it, 6, 1).points = 6;
    }),
    ("a newcomer's points", 2, "the points (newcomer) of answer 1: expected 0 or 2, found 3", |it| {
        answer(it, 2, 0).points = 3;
    }),
    ("another role", 6, "the role of answer 2: expected check, found first", |it| {
        answer(it, 6, 1).role = Role::First;
    }),
    ("a device as the server", 6, "the witness of answer 2: expected that of the server", |it| {
        answer(it, 6, 1).role = Role::Referee;
    }),
    ("a lot of nobody", 6, "the lot of answer 2: expected one, since it is chosen", |it| {
        answer(it, 6, 1).chosen = true;
    }),
    ("a newcomer in a lot", 6, "who is in a lot of answer 1: expected an established device", |it| {
        let answer = answer(it, 6, 0);
        (answer.rank, answer.points) = (Rank::Newcomer, 0);
    }),
    ("a job in a lot", 15, "what is in a lot", |it| {
        let job = job(it, 15);
        job.path = "sum".into();
        job.seed = Number::of(weevil_model::job_seed(42, "sum"));
        job.answers[0].lot = Some(Number::of(1));
    }),
    ("the word of a trusted device", 14, "the basis: expected trusted, found agreed", |it| {
        job(it, 14).basis = Some(StatedBasis::Trusted);
    }),
    ("the server's word", 14, "the basis: expected referee, found agreed", |it| {
        job(it, 14).basis = Some(StatedBasis::Referee);
    }),
    ("another basis than the lot", 6, "the basis: expected agreed, found lot", |it| {
        job(it, 6).basis = Some(StatedBasis::Agreed);
    }),
    ("the lot of a job that is in none", 15, "the basis: expected lot, found agreed", |it| {
        job(it, 15).basis = Some(StatedBasis::Lot);
    }),
    ("nobody judges", 15, "the basis: expected one of the policy credible(0.001), found none", |it| {
        job(it, 15).basis = Some(StatedBasis::None);
    }),
    ("taken over, with answers", 15, "answers of a job that nobody judges: expected 0, found 3", |it| {
        job(it, 15).basis = Some(StatedBasis::Reused);
    }),
    ("proved by nobody", 15, "expected an answer that was proved, found nothing", |it| {
        let job = job(it, 15);
        (job.basis, job.answers, job.proof) = (Some(StatedBasis::Proved), Vec::new(), Some(number(9)));
    }),
    ("proved by no module", 15, "the basis: expected one of a job without a proof, found proved", |it| {
        job(it, 15).basis = Some(StatedBasis::Proved);
    }),
    ("believed without a basis", 15, "what is believed: expected no digest without a basis", |it| {
        job(it, 15).basis = None;
    }),
    ("agreed with nothing", 15, "the fate of answer 1: expected another one, since nothing is", |it| {
        let job = job(it, 15);
        (job.basis, job.digest) = (None, None);
    }),
    ("undecided", 15, "the fate of answer 3: expected another one, since something is", |it| {
        answer(it, 15, 2).fate = AnswerFate::Open;
    }),
    ("one answer too few", 15, "the basis: expected agreed, found answers that decide nothing", |it| {
        drop(job(it, 15).answers.pop());
    }),
    ("one answer that weighs nothing", 15, "found answers that decide nothing", |it| {
        answer(it, 15, 2).points = 0;
    }),
    ("what was refuted says no less", 2, "what has agreed: expected ahead of what was refuted", |it| {
        let answer = answer(it, 2, 0);
        (answer.rank, answer.points) = (Rank::Established, 3);
    }),
    ("a lot of two devices", 7, "lot 000000000000010a: expected device 000000000000000a", |it| {
        answer(it, 7, 0).device = Some(Number::of(0x33));
    }),
    ("a lot too many", 18, "the lot: expected one that an answer is in", |it| {
        let lot = LotLine { lot: Number::of(u64::MAX), ..lot(it, 16).clone() };
        it.insert(17, Line::Lot(lot));
    }),
    ("a lot is left out", 17, "expected lot 000000000000010b, found an end", |it| drop(it.remove(16))),
    ("a lot twice", 17, "expected one after 000000000000010a", |it| it.insert(16, it[15].clone())),
    ("lots in another order", 17, "expected one after 000000000000010b", |it| it.swap(15, 16)),
    ("another k", 16, "k of 8 answers: expected 8, found 7", |it| lot(it, 16).k = 7),
    ("fewer that have passed", 17, "the answers that have passed: expected 4, found 3", |it| {
        lot(it, 17).passed = 3;
    }),
    ("more answers of a lot", 16, "the answers: expected 8, found 9", |it| lot(it, 16).answers = 9),
    ("a lot of another device", 16, "the device: expected", |it| lot(it, 16).device = Number::of(1)),
    ("a lot of another pool", 16, "the node: expected numbers/pool, found pool", |it| {
        lot(it, 16).node = "pool".into();
    }),
    ("a lot that was refused", 16, "expected no job that is believed by it, found the job in line 2", |it| {
        lot(it, 16).fate = LotFate::Refused;
    }),
    ("the counts", 18, "answers: expected 32, found 33", |it| end(it).counts.answers += 1),
    ("a better bound", 18, "the bound: expected 0.0", |it| end(it).bound = Some(1e-9)),
    ("no result", 18, "the result: expected a digest, found nothing", |it| end(it).result = None),
];

#[test]
fn what_was_changed_is_found_though_it_is_sealed_again() {
    for (what, line, words, tamper) in TAMPERINGS {
        let mut lines = credible();
        tamper(&mut lines);
        let broken = verify(seal(&lines, &mine).as_bytes()).expect_err(what);
        assert_eq!(broken.line, line, "{what}: {broken}");
        assert!(broken.to_string().contains(words), "{what}: {broken}");
    }
}

/// What else may have happened, and what is said of it; nothing where it holds.
type Story = (&'static str, Option<(u64, &'static str)>, fn(&mut Vec<Line>));

fn fails(lines: &mut [Line]) {
    let end = end(lines);
    (end.state, end.result) = (RunState::Failed, None);
}

/// The job of line 15 ends with an error that so many devices agree on.
fn errs(lines: &mut [Line], devices: u64) {
    fails(lines);
    let job = job(lines, 15);
    (job.digest, job.error) = (None, Some("thrown".into()));
    let error = |device: u64| AnswerEntry {
        digest: None,
        error: Some("thrown".into()),
        network: None,
        role: if device == 1 { Role::First } else { Role::Check },
        ..established(device, number(0), AnswerFate::Agreed)
    };
    job.answers = (1..=devices).map(error).collect();
}

/// The answers of line 15: these, without networks.
fn answered(lines: &mut [Line], answers: Vec<AnswerEntry>) {
    let answers = answers.into_iter().zip(0..).map(|(answer, turn)| AnswerEntry {
        network: None,
        role: if turn == 0 { Role::First } else { Role::Check },
        ..answer
    });
    job(lines, 15).answers = answers.collect();
}

fn says(device: u64, value: u32, fate: AnswerFate) -> AnswerEntry {
    established(device, number(value), fate)
}

const SUM: u32 = 132;
use AnswerFate::{Agreed, Open, Refuted, Stale, Void};

const STORIES: [Story; 27] = [
    ("an error of four", None, |it| errs(it, 4)),
    ("an error of three", Some((15, "the basis: expected agreed, found answers that decide")), |it| {
        errs(it, 3);
    }),
    ("a cancelled run", None, |it| {
        let job = job(it, 15);
        (job.basis, job.digest, job.answers) = (None, None, Vec::new());
        fails(it);
        end(it).state = RunState::Cancelled;
    }),
    ("a run that goes on", Some((18, "the state: expected that of a run that has ended")), |it| {
        fails(it);
        end(it).state = RunState::Started;
    }),
    ("a result of what failed", Some((18, "the result: expected nothing")), |it| {
        end(it).state = RunState::Failed;
    }),
    ("a value taken over", None, |it| {
        let job = job(it, 15);
        (job.basis, job.answers) = (Some(StatedBasis::Reused), Vec::new());
    }),
    ("a value that was proved", None, |it| {
        let job = job(it, 15);
        (job.basis, job.proof) = (Some(StatedBasis::Proved), Some(number(9)));
        answered(it, vec![newcomer(1, number(SUM), Agreed)]);
    }),
    ("as many that a proof has refuted as agree", None, |it| {
        job(it, 15).proof = Some(number(9));
        let wrong = (4..8).map(|device| says(device, 3, Refuted));
        answered(it, wrong.chain((1..4).map(|device| says(device, SUM, Agreed))).collect());
    }),
    ("a trusted device", None, |it| {
        job(it, 15).basis = Some(StatedBasis::Trusted);
        let trusted = AnswerEntry { rank: Rank::Trusted, points: 6, ..says(2, SUM, Agreed) };
        answered(it, vec![says(1, 3, Refuted), trusted]);
    }),
    ("the server", None, |it| {
        job(it, 15).basis = Some(StatedBasis::Referee);
        answered(it, vec![says(1, 3, Refuted), says(2, SUM, Agreed)]);
        let server = answer(it, 15, 1);
        (server.device, server.role, server.rank, server.points) = (None, Role::Referee, Rank::Trusted, 6);
    }),
    ("three newcomers while the fleet opens", None, |it| {
        let one = |device| AnswerEntry { points: 2, ..newcomer(device, number(SUM), Agreed) };
        answered(it, vec![one(1), one(2), one(3)]);
    }),
    ("two newcomers", Some((15, "found answers that decide nothing")), |it| {
        let one = |device| AnswerEntry { points: 2, ..newcomer(device, number(SUM), Agreed) };
        answered(it, vec![one(1), one(2)]);
    }),
    ("four against one", None, |it| {
        let four = (2..6).map(|device| says(device, SUM, Agreed));
        answered(it, [says(1, 3, Refuted)].into_iter().chain(four).collect());
    }),
    ("three against one", Some((15, "expected ahead of what was refuted")), |it| {
        let three = (2..5).map(|device| says(device, SUM, Agreed));
        answered(it, [says(1, 3, Refuted)].into_iter().chain(three).collect());
    }),
    ("three against one, where another is void", None, |it| {
        let three = (2..5).map(|device| says(device, SUM, Agreed));
        let before = [says(1, 3, Refuted), says(6, SUM, Void)];
        answered(it, before.into_iter().chain(three).collect());
    }),
    ("a device that has answered for another input", None, |it| {
        let three = (1..4).map(|device| says(device, SUM, Agreed));
        answered(it, [says(1, 3, Stale)].into_iter().chain(three).collect());
    }),
    ("a chosen answer of an accepted lot whose job has another input now", None, |it| {
        let job = job(it, 6);
        (job.basis, job.digest) = (Some(StatedBasis::Agreed), Some(number(7)));
        let stale = AnswerEntry { network: None, fate: Stale, ..job.answers[0].clone() };
        let others = (1..4).map(|device| AnswerEntry { network: None, ..says(device, 7, Agreed) });
        job.answers = [stale].into_iter().chain(others).collect();
    }),
    ("what is near", None, |it| {
        job(it, 15).agree = "near(0.1)".parse().unwrap();
        answered(it, vec![says(1, SUM, Agreed), says(2, 133, Agreed), says(3, 134, Agreed)]);
    }),
    ("a job that was given up in an accepted lot", None, |it| {
        fails(it);
        let job = job(it, 4);
        (job.basis, job.digest, job.error) = (None, None, Some("disputed".into()));
        job.answers.iter_mut().for_each(|answer| answer.fate = Open);
    }),
    ("a lot that is not decided", None, |it| {
        fails(it);
        for at in [4, 5, 12, 13] {
            let job = job(it, at);
            (job.basis, job.digest) = (None, None);
            job.answers.iter_mut().for_each(|answer| answer.fate = Open);
        }
        lot(it, 17).fate = LotFate::Open;
    }),
    (
        "no check of a chosen answer",
        Some((16, "chosen: expected 2 devices behind it, found 1 device in line 6")),
        |it| {
            drop(job(it, 6).answers.pop());
        },
    ),
    ("one chosen too few", Some((16, "that have passed: expected at least 8, found 7")), |it| {
        answer(it, 6, 0).chosen = false;
    }),
    (
        "a small lot that was not looked at deeper",
        Some((17, "expected 3 devices behind it, found 2 devices")),
        |it| {
            let job = job(it, 5);
            job.basis = Some(StatedBasis::Agreed);
            let answer = |device| AnswerEntry { network: None, ..says(device, 22, Agreed) };
            job.answers = vec![AnswerEntry { role: Role::First, ..answer(1) }, answer(2), answer(3)];
            lot(it, 17).answers = 3;
        },
    ),
    (
        "an accepted lot with a wrong answer",
        Some((16, "no answer that is refuted or void, found the one in line 6")),
        |it| {
            let job = job(it, 6);
            (job.basis, job.digest) = (Some(StatedBasis::Agreed), Some(number(7)));
            let wrong = AnswerEntry { network: None, fate: Refuted, ..job.answers[0].clone() };
            let others = (1..5).map(|device| AnswerEntry { network: None, ..says(device, 7, Agreed) });
            job.answers = [wrong].into_iter().chain(others).collect();
        },
    ),
    (
        "more answers than there are attempts",
        Some((15, "answers of a job: expected at most 1000, found 1001")),
        |it| {
            answered(it, (1..=1001).map(|device| says(device, SUM, Agreed)).collect());
        },
    ),
    ("a stand-alone job", None, |it| {
        let alone = job(it, 15).clone();
        it.drain(1..17);
        let seed = weevil_model::job_seed(alone.code.seed(), &alone.path);
        it.insert(1, Line::Job(JobLine { seed: Number::of(seed), ..alone }));
        (1..=3).zip(&mut job(it, 2).answers).for_each(|(network, answer)| answer.network = Some(network));
        let head = head(it);
        (head.run, head.workflow, head.document, head.seed) = (None, None, None, None);
    }),
    ("stand-alone jobs", Some((2, "the seed")), |it| {
        let head = head(it);
        (head.run, head.workflow, head.document, head.seed) = (None, None, None, None);
    }),
];

#[test]
fn what_else_may_happen_holds_where_the_rules_say_so() {
    for (what, broken, tell) in STORIES {
        let mut lines = credible();
        tell(&mut lines);
        let found = verify(seal(&recount(&lines), &mine).as_bytes())
            .map_err(|broken| (broken.line, broken.to_string()));
        match (broken, found) {
            (None, found) => drop(found.unwrap_or_else(|broken| panic!("{what}: {broken:?}"))),
            (Some((line, words)), Err((at, told))) => {
                assert!(at == line && told.contains(words), "{what}: {told}");
            }
            (Some(expected), Ok(_)) => panic!("{what} holds, {expected:?}"),
        }
    }
}

#[test]
fn a_quorum_is_what_it_says() {
    type Row = (&'static str, &'static str, fn(&mut [Line]));
    let rows: [Row; 3] = [
        ("one vote too few", "the basis: expected agreed, found answers that decide nothing", |lines| {
            drop(job(lines, 6).answers.pop());
        }),
        ("a vote that is not counted", "the fate of answer 3: expected agreed, since it says", |lines| {
            let more = AnswerEntry { network: None, ..newcomer(0x99, number(4), Refuted) };
            job(lines, 6).answers.push(more);
        }),
        ("as many say otherwise", "expected ahead of what was refuted", |lines| {
            for device in [0x98, 0x99] {
                job(lines, 6).answers.push(AnswerEntry { network: None, ..says(device, 5, Refuted) });
            }
        }),
    ];
    for (what, words, tamper) in rows {
        let mut lines = lines("quorum(2)", KEY);
        tamper(&mut lines);
        let broken = verify(seal(&recount(&lines), &mine).as_bytes()).expect_err(what);
        assert!(broken.line == 6 && broken.to_string().contains(words), "{what}: {broken}");
    }
}

#[test]
fn the_file_itself_is_checked() {
    let text = seal(&credible(), &mine);
    let count = text.lines().count() as u64;
    let cut = |lines: usize| text.lines().take(lines).fold(String::new(), |all, line| all + line + "\n");
    for (what, file, line, words) in [
        ("nothing", String::new(), 1, "expected a head, found the end of the file"),
        ("the head alone", cut(1), 2, "expected a job, a lot or the end, found the end of the file"),
        ("a cut file", cut(17), 18, "found the end of the file"),
        (
            "a cut line",
            text[..text.len() - 9].to_owned(),
            count,
            "the line: expected a job, a lot or the end",
        ),
        ("a line without an end", text.trim_end().to_owned(), count, "the line"),
        ("a line after the end", text.clone() + "\n", count + 1, "expected no line after the end"),
        ("an end twice", format!("{text}{}\n", text.lines().last().unwrap()), count + 1, "found an end"),
        ("an empty line", text.replacen('\n', "\n\n", 1), 2, "the line"),
        ("lines of another system", text.replace('\n', "\r\n"), 1, "another form of the same line"),
        (
            "a blank",
            text.replacen("\"code\":", "\"code\": ", 1),
            2,
            "another form of the same line from byte 47 on",
        ),
        (
            "keys in another order",
            text.replacen(
                "\"error\":null,\"policy\":\"credible(0.001)\"",
                "\"policy\":\"credible(0.001)\",\"error\":null",
                1,
            ),
            2,
            "another form",
        ),
        (
            "a key more",
            text.replacen("\"doubted\":false", "\"doubted\":false,\"more\":1", 1),
            2,
            "another form",
        ),
        (
            "a key twice",
            text.replacen("\"doubted\":false", "\"doubted\":false,\"doubted\":false", 1),
            2,
            "duplicate field",
        ),
        ("a key less", text.replacen("\"doubted\":false,", "", 1), 2, "missing field"),
        ("a number of another form", text.replacen("\"points\":3", "\"points\":3.0", 1), 2, "the line"),
        ("a text of another form", text.replacen("numbers", "\\u006eumbers", 1), 2, "another form"),
        ("another format", text.replacen("certificate 1", "certificate 2", 1), 1, "is not what belongs here"),
        (
            "an unknown basis",
            text.replacen("\"lot\",\"doubted\"", "\"luck\",\"doubted\"", 1),
            2,
            "unknown variant",
        ),
        ("another root", text.replacen("\"root\":\"", "\"root\":\"00", 1), count, "is not what belongs here"),
        ("another moment", text.replacen("1764000060000", "1764000060001", 1), count, "the root: expected"),
        ("an engine", text.replacen("chromium", "gecko", 1), count, "the root: expected"),
        (
            "a signature of another key",
            seal(&credible(), &|message| sign(&[8; 32], message)),
            count,
            "the signature: expected one by the key 0707",
        ),
        (
            "another key in the head",
            seal(&lines("credible(0.001)", Hex([8; 32])), &mine),
            count,
            "the signature: expected one by the key 0808",
        ),
    ] {
        let broken = verify(file.as_bytes()).expect_err(what);
        assert!(broken.line == line && broken.to_string().contains(words), "{what}: {broken}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_byte_can_be_changed(policy in 0..POLICIES.len(), at: prop::sample::Index, to: u8) {
        let mut file = seal(&lines(POLICIES[policy], KEY), &mine).into_bytes();
        let at = at.index(file.len());
        prop_assume!(file[at] != to);
        file[at] = to;
        let broken = verify(&file).expect_err("another file");
        let line = file[..at].split(|byte| *byte == b'\n').count() as u64;
        prop_assert!(broken.line >= line, "{broken} for byte {at}");
    }

    #[test]
    fn no_line_can_be_left_out_or_moved(policy in 0..POLICIES.len(), one: prop::sample::Index, other: prop::sample::Index) {
        let text = seal(&lines(POLICIES[policy], KEY), &mine);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (one, other) = (one.index(lines.len()), other.index(lines.len()));
        let mut left = lines.clone();
        let line = left.remove(one);
        prop_assert!(verify(left.concat().as_bytes()).is_err(), "without line {}", one + 1);
        prop_assume!(one != other);
        left.insert(other, line);
        prop_assert!(verify(left.concat().as_bytes()).is_err(), "line {} in the place of {}", one + 1, other + 1);
    }
}
