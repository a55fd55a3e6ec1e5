//! Looking back at a run: what went wrong first, what was logged, who did what when, and runs by name.

use weevil_model::{ContentHash, DataType, JobId, ProjectId, Reuse, RunId, RunState, Timestamp};
use weevil_queue::{AttemptEnd, Batch, Claimed, NewJob, Origin, Release, Report, Submission};
use weevil_records::{
    JobCode, JobTrace, LogMark, LogStretch, MAX_REACHING, MAX_TOLD_CHARS, NameSearch, RunInput, RunList,
    RunOrigin, RunRecord,
};

use crate::bed::{Bed, boom, number, submission, worker, workflow};
use crate::databases::{Kind, on_each_database};

impl Bed {
    async fn troubled(&self, run: RunId, after: Option<JobId>, most: u32) -> Vec<String> {
        let jobs = self.store.troubled_jobs(run, after, most).await.unwrap();
        jobs.into_iter().map(|job| job.path).collect()
    }

    /// Ends an attempt with a value and what its code has logged.
    async fn report_with(&self, claimed: &Claimed, log: Option<&str>) {
        let report = Report::Value(number(1.0));
        let said = Submission { log: log.map(str::to_owned), ..submission(claimed.key, report) };
        self.apply(Batch { complete: vec![said], ..Batch::default() }).await;
    }

    async fn marks(&self, run: RunId, after: Option<LogMark>, most: u32) -> Vec<(LogMark, bool)> {
        let stretch = LogStretch { from: Timestamp(0), until: self.now, after };
        self.store.logged(run, &stretch, most).await.unwrap()
    }

    async fn name_run(&mut self, project: ProjectId, name: &str) -> RunId {
        let record = self.store.run(self.run).await.unwrap().unwrap();
        let id = self.minter.run(self.now);
        let record = RunRecord { id, project, name: name.into(), ..record };
        self.store.create_run(&workflow(), &record, &[]).await.unwrap();
        id
    }

    async fn done(&self, workers: &[i64], (from, to): (i64, i64), most: u32) -> Vec<String> {
        let workers: Vec<_> = workers.iter().map(|number| worker(*number)).collect();
        let span = (Timestamp(from), Timestamp(to));
        let mut done = self.store.done_by(&workers, span, most).await.unwrap();
        done.sort_by_key(|attempt| (attempt.worker, attempt.started_at, attempt.number));
        done.into_iter().map(|attempt| attempt.path).collect()
    }
}

async fn where_a_run_comes_from_is_read_without_what_it_was_given(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let plain = bed.store.run_origin(bed.run).await.unwrap();
    let expected = RunOrigin { seed: u64::MAX, reuse: Reuse::Never, created_by: None, given: vec![] };
    assert_eq!(plain, Some(expected.clone()));
    let given = |node: &str, value| -> RunInput { (node.to_owned(), number(value)) };
    let inputs = [given("z", 1.0), given("\u{e4}", 0.5), given("B", 2.0), given("a", 3.0)];
    let bytes = |at: usize| inputs[at].1.as_bytes().len() as u64;
    let record = bed.store.run(bed.run).await.unwrap().unwrap();
    let id = bed.minter.run(bed.now);
    let by = RunRecord { id, created_by: Some("acc_1".into()), reuse: Reuse::Always, seed: 7, ..record };
    bed.store.create_run(&workflow(), &by, &inputs).await.unwrap();
    let found = bed.store.run_origin(id).await.unwrap().unwrap();
    let told = [("B", bytes(2)), ("a", bytes(3)), ("z", bytes(0)), ("\u{e4}", bytes(1))];
    let given = told.map(|(node, bytes)| (node.to_owned(), bytes)).to_vec();
    let created_by = Some("acc_1".to_owned());
    assert_eq!(found, RunOrigin { seed: 7, reuse: Reuse::Always, created_by, given });
    let nobody = bed.minter.run(bed.now);
    assert_eq!(bed.store.run_origin(nobody).await.unwrap(), None);
}

async fn jobs_that_went_wrong_are_found_whatever_became_of_them(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("right", 0), ("mended", 0), ("failed", 0), ("lost", 0)]).await;
    let overdue = NewJob { max_wait_ms: Some(1), ..bed.job("overdue", -9) };
    let alone = NewJob { origin: Origin::Queue("q".into()), max_attempts: 1, ..bed.job("alone", 0) };
    bed.apply(Batch { enqueue: vec![overdue, alone], ..Batch::default() }).await;
    for claimed in bed.claim(&[(1, 5)]).await {
        match claimed.path.as_str() {
            "lost" => drop(bed.release(Release { key: claimed.key, end: AttemptEnd::Lost }).await),
            "right" => drop(bed.report(claimed.key, Report::Value(number(1.0))).await),
            _ => drop(bed.report(claimed.key, boom("no")).await),
        }
    }
    bed.now = bed.now.plus_ms(5);
    bed.apply(Batch { look: true, ..Batch::default() }).await;
    for number_of_worker in [2, 3] {
        for claimed in bed.claim(&[(number_of_worker, 9)]).await {
            let report = if claimed.path == "failed" { boom("no") } else { Report::Value(number(1.0)) };
            bed.report(claimed.key, report).await;
        }
    }
    let run = bed.run;
    let all = bed.troubled(run, None, 9).await;
    assert_eq!(all, ["mended", "failed", "overdue"], "in the order of their ids");
    let first = bed.store.troubled_jobs(run, None, 1).await.unwrap();
    assert_eq!(first[0].path, all[0]);
    assert_eq!(bed.troubled(run, Some(first[0].id), 9).await, all[1..]);
    assert_eq!(bed.troubled(run, None, 2).await, all[..2]);
    let other = bed.add_run().await;
    assert_eq!(bed.troubled(other, None, 9).await, [""; 0]);
    let mut workers = bed.store.troubled_workers(run).await.unwrap();
    workers.sort_unstable();
    assert_eq!(workers, [worker(1), worker(2), worker(3)]);
    assert_eq!(bed.store.troubled_workers(other).await.unwrap(), []);
}

async fn a_job_tells_its_newest_worker_and_its_newest_error(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 9), ("b", 0)]).await;
    let first = bed.claim_one(1).await.unwrap();
    bed.report(first.key, boom(&"\u{1F41B}".repeat(300))).await;
    let second = bed.claim_one(2).await.unwrap();
    assert_eq!(second.path, "a");
    bed.report(second.key, Report::Value(number(1.0))).await;
    let jobs = bed.store.jobs(bed.run, None, 9).await.unwrap();
    let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
    let error = Some("\u{1F41B}".repeat(MAX_TOLD_CHARS as usize));
    let traces = bed.store.job_traces(&ids).await.unwrap();
    assert_eq!(traces, [JobTrace { job: first.job(), worker: worker(2), error }]);
    assert_eq!(bed.store.job_traces(&[]).await.unwrap(), []);
}

async fn a_job_says_what_it_takes_to_compute_it_again(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let lender = ContentHash::of(b"kernels");
    let kernels = Some(bed.store.keep_kernels(workflow().hash, lender, bed.now).await.unwrap());
    let alone = NewJob { origin: Origin::Queue("q".into()), returns: None, ..bed.job("alone", 0) };
    let on_gpu = NewJob { kernels, ..bed.alone("q", "gpu") };
    let (of_run, begun) = (bed.job("a", 0), bed.now.plus_ms(7));
    let ids = [of_run.id, alone.id, on_gpu.id];
    bed.apply(Batch { enqueue: vec![of_run, alone, on_gpu], ..Batch::default() }).await;
    bed.now = begun;
    bed.claim(&[(1, 9)]).await;
    bed.now = bed.now.plus_ms(1);
    let known = JobCode {
        source: "Add.js".into(),
        seed: u64::MAX - 1,
        returns: Some(DataType::Number),
        timeout_ms: 1_000,
        workflow: Some(workflow().hash),
        first_handed_out: Some(begun),
    };
    assert_eq!(bed.store.job_code(ids[0]).await.unwrap(), Some(known.clone()));
    let alone = JobCode { returns: None, workflow: None, ..known };
    assert_eq!(bed.store.job_code(ids[1]).await.unwrap(), Some(alone));
    assert_eq!(bed.store.job_code(ids[2]).await.unwrap().unwrap().workflow, Some(lender));
    let unknown = bed.minter.job(bed.now);
    assert_eq!(bed.store.job_code(unknown).await.unwrap(), None);
}

async fn logs_are_read_in_the_order_in_which_they_came(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let first = bed.run;
    bed.enqueue(&[("a", 3), ("b", 2), ("c", 1)]).await;
    bed.run = bed.add_run().await;
    bed.enqueue(&[("a", 0), ("b", 0)]).await;
    let claimed = bed.claim(&[(1, 9)]).await;
    let at = |run, path: &str| {
        claimed.iter().find(|claimed| claimed.run == Some(run) && claimed.path == path).unwrap()
    };
    // The later job first; two in one moment, between them one of another run, and one that has logged nothing.
    bed.report_with(at(first, "c"), Some("c\n'1'")).await;
    bed.now = bed.now.plus_ms(1);
    bed.report_with(at(first, "b"), Some("b")).await;
    bed.report_with(at(bed.run, "a"), Some("other")).await;
    bed.report_with(at(bed.run, "b"), None).await;
    bed.report_with(at(first, "a"), Some("")).await;
    let marks = bed.marks(first, None, 9).await;
    let own: Vec<LogMark> = marks.iter().filter(|(_, own)| *own).map(|(mark, _)| *mark).collect();
    assert_eq!((marks.len(), own.len()), (4, 3), "an empty log is one");
    assert!(marks.is_sorted_by(|(one, _), (next, _)| one < next));
    for most in 1..5 {
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = bed.marks(first, after, most).await;
            let Some((last, _)) = page.last() else { break };
            (after, found) = (Some(*last), [found, page].concat());
        }
        assert_eq!(found, marks, "by {most}");
    }
    let mut logs = bed.store.logs(&own).await.unwrap();
    logs.sort_by_key(|log| log.mark);
    let told: Vec<(&str, &str)> = logs.iter().map(|log| (&*log.path, &*log.log)).collect();
    assert_eq!(told, [("c", "c\n'1'"), ("a", ""), ("b", "b")]);
    assert!(logs.iter().all(|log| log.worker == worker(1) && log.end == Some(AttemptEnd::Completed)));
    let stretch = LogStretch { from: bed.now, until: bed.now.plus_ms(-1), after: None };
    assert_eq!(bed.store.logged(first, &stretch, 9).await.unwrap(), []);
}

async fn what_workers_did_in_a_span_is_found_with_what_reaches_into_it(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let paths: Vec<String> = (0..9).map(|at| at.to_string()).collect();
    for path in &paths {
        bed.enqueue(&[(path, 0)]).await;
    }
    // Job N is handed out at N0, to the workers in turn, and takes 15 ms; the last two are under way.
    bed.now = Timestamp(0);
    let mut open: Vec<Claimed> = Vec::new();
    for at in 0..9 {
        bed.now = Timestamp(at * 10);
        open.extend(bed.claim_one(1 + at % 2).await);
        if at >= 2 {
            bed.now = Timestamp(at * 10 + 5);
            let ended = open.remove(0);
            bed.report(ended.key, Report::Value(number(1.0))).await;
        }
    }
    let [first, second] = [&[1, 2][..], &[1]];
    for (workers, span, most, expected) in [
        (first, (0, 99), 99, &["0", "2", "4", "6", "8", "1", "3", "5", "7"][..]),
        (second, (0, 99), 99, &["0", "2", "4", "6", "8"]),
        (second, (40, 60), 99, &["2", "4", "6"]),
        (second, (46, 46), 99, &["4"]),
        (second, (200, 300), 99, &["8"]),
        (first, (0, 99), 2, &["0", "2"]),
        (&[7], (0, 99), 99, &[]),
        (&[], (0, 99), 99, &[]),
    ] {
        assert_eq!(bed.done(workers, span, most).await, expected, "{workers:?} {span:?} {most}");
    }
    let done = bed.store.done_by(&[worker(1)], (Timestamp(80), Timestamp(90)), 9).await.unwrap();
    let running = done.iter().find(|attempt| attempt.path == "8").unwrap();
    assert_eq!((running.run, running.ended_at, running.end), (Some(bed.run), None, None));
}

async fn few_that_began_before_a_span_are_looked_at(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let jobs: Vec<NewJob> = (0..MAX_REACHING + 5).map(|at| bed.job(&at.to_string(), 0)).collect();
    bed.apply(Batch { enqueue: jobs, ..Batch::default() }).await;
    assert_eq!(bed.claim(&[(1, 99)]).await.len(), MAX_REACHING as usize + 5);
    let begun = bed.now.0;
    assert_eq!(bed.done(&[1], (begun + 1, begun + 2), 99).await.len(), MAX_REACHING as usize);
    assert_eq!(bed.done(&[1], (begun, begun + 2), 99).await.len(), MAX_REACHING as usize + 5);
}

async fn runs_are_found_by_how_their_names_begin(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    let bees = ProjectId::from_number(2).unwrap();
    let mut runs = Vec::new();
    for name in ["pi", "Pi", "pi", "pie", "p", "pi\u{fc}", "tau"] {
        runs.push(bed.name_run(ProjectId::DEFAULT, name).await);
    }
    runs.push(bed.name_run(bees, "pi").await);
    let all = RunList::default();
    let here = RunList { project: Some(ProjectId::DEFAULT), ..all };
    for (list, begins, expected) in [
        (all, "pi", &[7, 2, 0, 3, 5][..]),
        (here, "pi", &[2, 0, 3, 5]),
        (here, "pie", &[3]),
        (here, "P", &[1]),
        (here, "%", &[]),
        (RunList { project: Some(bees), ..all }, "", &[7]),
        (RunList { state: Some(RunState::Failed), ..here }, "pi", &[]),
        (
            RunList { state: Some(RunState::Started), workflow: Some(workflow().hash), ..here },
            "pi",
            &[2, 0, 3, 5],
        ),
        (RunList { created_before: Some(Timestamp(1)), ..here }, "pi", &[]),
    ] {
        let expected: Vec<RunId> = expected.iter().map(|at| runs[*at]).collect();
        for most in 1..7 {
            let (mut found, mut after) = (Vec::new(), None);
            loop {
                let search = NameSearch { begins: begins.into(), after };
                let page = bed.store.runs_named(&list, &search, most).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some((last.head.name.clone(), last.head.id));
                found.extend(page.iter().map(|run| run.head.id));
            }
            assert_eq!(found, expected, "{begins} of {list:?} by {most}");
        }
    }
}

on_each_database! {
    where_a_run_comes_from_is_read_without_what_it_was_given,
    jobs_that_went_wrong_are_found_whatever_became_of_them,
    a_job_tells_its_newest_worker_and_its_newest_error,
    a_job_says_what_it_takes_to_compute_it_again,
    logs_are_read_in_the_order_in_which_they_came,
    what_workers_did_in_a_span_is_found_with_what_reaches_into_it,
    few_that_began_before_a_span_are_looked_at,
    runs_are_found_by_how_their_names_begin,
}
