//! What jobs log: kept with the attempt that logged it, whatever came of it.

use weevil_model::limits::MAX_LOG_CHARS;
use weevil_queue::batch::Verdict;
use weevil_queue::{Batch, Claimed, Report, Submission};

use crate::bed::{Bed, boom, number, submission};
use crate::databases::{Kind, on_each_database};

fn said(claimed: &Claimed, report: Report, log: Option<&str>) -> Submission {
    let log = log.map(str::to_owned);
    Submission { log, ..submission(claimed.key, report) }
}

impl Bed {
    async fn complete(&self, complete: Vec<Submission>) -> Vec<Verdict> {
        let outcomes = self.apply(Batch { complete, ..Batch::default() }).await;
        outcomes.completed.iter().map(|settled| settled.verdict).collect()
    }

    async fn logs(&self, claimed: &Claimed) -> Vec<Option<String>> {
        let (_, attempts) = self.store.attempts(claimed.job()).await.unwrap().unwrap();
        attempts.into_iter().map(|attempt| attempt.log).collect()
    }
}

async fn a_log_is_kept_with_its_attempt_however_it_ended(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0), ("b", 0), ("c", 0), ("d", 0)]).await;
    let longest = "\u{1F41B}".repeat(MAX_LOG_CHARS);
    let odd = "\"quoted\" \\ 'n' \t\n\n<b>null</b> \u{1B}[0m";
    let claimed = bed.claim(&[(1, 4)]).await;
    let [a, b, c, d] = &claimed[..] else { panic!("{claimed:?}") };
    let verdicts = bed
        .complete(vec![
            said(a, Report::Value(number(1.0)), Some(odd)),
            said(b, Report::Value(number(2.0)), None),
            said(c, boom("no"), Some(&longest)),
            said(d, Report::Value(number(3.0)), Some("null")),
        ])
        .await;
    assert_eq!(verdicts, [Verdict::Accepted; 4]);
    for (claimed, expected) in [(a, Some(odd)), (b, None), (c, Some(&*longest)), (d, Some("null"))] {
        assert_eq!(bed.logs(claimed).await, [expected.map(str::to_owned)]);
    }
    let again = bed.claim_one(2).await.unwrap();
    assert_eq!(bed.logs(c).await, [Some(longest.clone()), None], "it runs");
    bed.complete(vec![said(&again, Report::Value(number(4.0)), Some("second"))]).await;
    assert_eq!(bed.logs(c).await, [Some(longest), Some("second".into())]);
}

async fn a_report_that_changes_nothing_brings_no_log(kind: Kind) {
    let mut bed = Bed::new(kind).await;
    bed.enqueue(&[("a", 0)]).await;
    let claimed = bed.claim_one(1).await.unwrap();
    bed.complete(vec![said(&claimed, Report::Value(number(1.0)), Some("first"))]).await;
    let again = said(&claimed, Report::Value(number(1.0)), Some("forged"));
    assert_eq!(bed.complete(vec![again]).await, [Verdict::Accepted], "it is told again");
    assert_eq!(bed.logs(&claimed).await, [Some("first".to_owned())]);
}

on_each_database! {
    a_log_is_kept_with_its_attempt_however_it_ended,
    a_report_that_changes_nothing_brings_no_log,
}
