//! Requests of a worker without a connection whose reports the queue has not answered.
//!
//! The queue answers each report once, mostly in the order in which they came; one that the database would not take comes
//! behind the others.

use weevil_queue::AttemptKey;
use weevil_queue::batch::Verdict;

use super::plain_session::Reply;

#[derive(Default)]
pub(super) struct Unanswered(Vec<Request>);

struct Request {
    /// In the order of the request.
    reports: Vec<(AttemptKey, Option<Verdict>)>,
    reply: Reply<Vec<(AttemptKey, Verdict)>>,
}

impl Unanswered {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn asked(&mut self, attempts: &[AttemptKey], reply: Reply<Vec<(AttemptKey, Verdict)>>) {
        self.0.push(Request { reports: attempts.iter().map(|key| (*key, None)).collect(), reply });
    }

    /// An answer belongs to the oldest report of its attempt that has none.
    pub(super) fn answered(&mut self, key: AttemptKey, verdict: Verdict) {
        let Some(at) = self.0.iter_mut().position(|request| request.note(key, verdict)) else { return };
        if self.0[at].reports.iter().all(|report| report.1.is_some()) {
            let Request { reports, reply } = self.0.remove(at);
            let verdicts = reports.into_iter().filter_map(|(key, verdict)| Some((key, verdict?)));
            let _gone = reply.send(Ok(verdicts.collect()));
        }
    }
}

impl Request {
    fn note(&mut self, key: AttemptKey, verdict: Verdict) -> bool {
        let open = self.reports.iter_mut().find(|report| report.0 == key && report.1.is_none());
        open.map(|report| report.1 = Some(verdict)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;
    use weevil_model::JobId;
    use weevil_queue::batch::Verdict::{Accepted, Superseded};

    fn key(number: i64) -> AttemptKey {
        AttemptKey { job: JobId::from_number(number).unwrap(), token: number }
    }

    #[test]
    fn each_request_hears_its_own_answers_in_its_own_order() {
        for order in [[1, 1, 2, 3, 1], [3, 1, 1, 2, 1], [2, 3, 1, 1, 1]] {
            let mut unanswered = Unanswered::default();
            let (first, mut heard_first) = oneshot::channel();
            let (second, mut heard_second) = oneshot::channel();
            unanswered.asked(&[1, 2, 1].map(key), first);
            unanswered.asked(&[3, 1].map(key), second);
            for (at, number) in order.into_iter().enumerate() {
                assert!(!unanswered.is_empty());
                unanswered.answered(key(number), if at == 0 { Superseded } else { Accepted });
            }
            assert!(unanswered.is_empty(), "{order:?}");
            let told = |heard: Result<Result<Vec<_>, _>, _>| {
                let told: Vec<(AttemptKey, Verdict)> = heard.unwrap().unwrap();
                told.into_iter().map(|(key, verdict)| (key.token, verdict)).collect::<Vec<_>>()
            };
            let verdict = |number| if order[0] == number { Superseded } else { Accepted };
            assert_eq!(
                told(heard_first.try_recv()),
                [(1, verdict(1)), (2, verdict(2)), (1, Accepted)],
                "{order:?}"
            );
            assert_eq!(told(heard_second.try_recv()), [(3, verdict(3)), (1, Accepted)], "{order:?}");
        }
        let mut none = Unanswered::default();
        none.answered(key(9), Accepted);
        assert!(none.is_empty());
    }
}
