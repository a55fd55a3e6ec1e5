//! What writing and reading a certificate takes of memory, counted at the allocator: one line, however many there are.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use dhat::{Alloc, HeapStats, Profiler};
use weevil_model::witness::{Engine, Rank};
use weevil_model::{Agree, ContentHash, RunId, RunState, job_seed};
use weevil_trust::certificate::{
    AnswerEntry, AnswerFate, Checker, Format, HeadLine, Hex, JobLine, Number, Role, StatedBasis, Writer,
};

#[global_allocator]
static COUNTED: Alloc = Alloc;

/// What the longest path may take more, and the buffers of its line.
const SLACK_BYTES: usize = 1024;

fn head() -> HeadLine {
    HeadLine {
        format: Format,
        key: Hex([0; 32]),
        run: RunId::from_number(1),
        workflow: Some(ContentHash::of(b"workflow")),
        document: Some("workflow.xml".to_owned()),
        seed: Some(Number::of(1)),
        inputs: Vec::new(),
        policy: "quorum(2)".parse().ok(),
        assumed: "0.05".parse().unwrap(),
        plan: None,
        started: 0,
        ended: 0,
    }
}

fn job(index: u32) -> JobLine {
    let (path, digest) = (format!("pool/{index:06}/x"), ContentHash::of(&index.to_le_bytes()));
    let answer = |device: u32| AnswerEntry {
        device: Some(Number::of(device.into())),
        network: Some(device),
        engine: Engine::Gecko,
        rank: Rank::Newcomer,
        points: 0,
        role: if device == 1 { Role::First } else { Role::Check },
        digest: Some(digest),
        error: None,
        at: 0,
        lot: None,
        chosen: false,
        fate: AnswerFate::Agreed,
    };
    JobLine {
        code: ContentHash::of(b"code"),
        source: "x.js".to_owned(),
        seed: Number::of(job_seed(1, &path)),
        path,
        inputs: vec![digest],
        returns: None,
        digest: Some(digest),
        error: None,
        policy: "quorum(2)".parse().unwrap(),
        agree: Agree::Exact,
        proof: None,
        basis: Some(StatedBasis::Agreed),
        doubted: false,
        answers: vec![answer(1), answer(2)],
    }
}

/// Bytes that are taken at most while so many jobs are written and read.
fn most_bytes(jobs: u32) -> usize {
    let _counting = Profiler::builder().testing().build();
    let (mut writer, text) = Writer::begin(head());
    let mut checker = Checker::default();
    let mut read = |line: String| drop(checker.line(line.trim_end().as_bytes()).unwrap());
    read(text);
    for index in 0..jobs {
        read(writer.job(job(index)));
    }
    read(writer.end(RunState::Failed, None).signed(Hex([0; 64])));
    let summary = checker.finish().unwrap().prove(|_, _, _| true).unwrap();
    assert_eq!((summary.end.counts.jobs, summary.lines), (jobs.into(), u64::from(jobs) + 2));
    HeapStats::get().max_bytes
}

/// One test, because there is one allocator.
#[test]
fn many_jobs_take_no_more_than_few() {
    let (few, many) = (most_bytes(100), most_bytes(1500));
    assert!(many <= few + SLACK_BYTES, "{few} bytes for 100 jobs, {many} for 1500");
}
