//! Whom no ready job is for: asking for them again would find nothing until something comes.

use std::collections::{HashMap, HashSet};

use weevil_model::{Needs, WorkerId};
use weevil_queue::decide::claim::Left;
use weevil_queue::{Appetite, Claimed};

/// What workers have that have asked in vain; and which workers have, where others with as much might not.
#[derive(Debug, Default)]
pub(super) struct FruitlessNeeds {
    needs: HashSet<Needs>,
    /// They have copies of what is ready.
    holders: HashSet<WorkerId>,
}

impl FruitlessNeeds {
    /// Something may be ready now, for anybody.
    pub(super) fn forget(&mut self) {
        self.needs.clear();
        self.holders.clear();
    }

    /// Who could not have what was ready may have it by now: a worker has had the time to say who it is.
    pub(super) fn ask_holders_again(&mut self) {
        self.holders.clear();
    }

    pub(super) fn is(&self, worker: WorkerId, has: Needs) -> bool {
        self.needs.contains(&has) || self.holders.contains(&worker)
    }

    /// A worker that got less than it asked for has got all that there was for it, unless the claim was cut short: at `most`
    /// jobs, or because the inputs were too many bytes.
    pub(super) fn learn(&mut self, asks: &[Appetite], claimed: &[Claimed], most: usize, left: Left) {
        if left.cut || claimed.len() == most {
            return;
        }
        let mut got: HashMap<WorkerId, u32> = HashMap::new();
        for job in claimed {
            *got.entry(job.worker).or_default() += 1;
        }
        let short = |ask: &&Appetite| got.get(&ask.worker).copied().unwrap_or_default() < ask.wants;
        let short = asks.iter().filter(short);
        if left.kept {
            self.holders.extend(short.map(|ask| ask.worker));
        } else {
            self.needs.extend(short.map(|ask| ask.has));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weevil_model::{Capabilities, ContentHash, Encoded, JobId, ProjectId, RunId, Timestamp, Value};
    use weevil_queue::AttemptKey;

    const PLAIN: Needs = Needs::JAVASCRIPT;
    const GPU: Needs = Needs { capabilities: Capabilities(3), memory_mb: 0 };

    fn worker(number: i64) -> WorkerId {
        WorkerId::from_number(number).unwrap()
    }

    fn claimed(by: i64) -> Claimed {
        Claimed {
            key: AttemptKey { job: JobId::from_number(1).unwrap(), token: 1 },
            worker: worker(by),
            project: ProjectId::DEFAULT,
            run: RunId::from_number(1),
            path: "a".into(),
            workflow: ContentHash::of(b"w"),
            workflow_name: "w".into(),
            code: ContentHash::of(b"c"),
            source: "a.js".into(),
            input: Encoded::of(&Value::Null).unwrap(),
            seed: 1,
            needs: PLAIN,
            timeout_ms: 1,
            deadline: Timestamp(1),
            judged: false,
        }
    }

    #[test]
    fn only_those_are_vain_who_got_less_than_there_might_have_been() {
        let ask = |number, wants, has| Appetite { worker: worker(number), wants, has };
        for (asks, got, most, cut, fruitless) in [
            (vec![ask(1, 2, PLAIN), ask(2, 1, GPU)], vec![1, 2], 3, false, vec![PLAIN]),
            (vec![ask(1, 2, PLAIN), ask(2, 1, GPU)], vec![1, 1], 3, false, vec![GPU]),
            (vec![ask(1, 2, PLAIN), ask(2, 1, GPU)], vec![1, 1, 2], 3, false, vec![]),
            (vec![ask(1, 9, PLAIN)], vec![1, 1], 2, false, vec![]),
            (vec![ask(1, 9, PLAIN)], vec![1], 9, true, vec![]),
            (vec![ask(1, 9, PLAIN), ask(2, 9, GPU)], vec![], 18, false, vec![PLAIN, GPU]),
        ] {
            let mut found = FruitlessNeeds::default();
            let claimed: Vec<Claimed> = got.iter().map(|by| claimed(*by)).collect();
            found.learn(&asks, &claimed, most, Left { cut, kept: false });
            assert_eq!(found.needs, fruitless.into_iter().collect(), "{asks:?} {got:?}");
            found.forget();
            assert!(!found.is(worker(1), PLAIN) && !found.is(worker(2), GPU));
        }
    }

    #[test]
    fn a_worker_that_has_copies_of_what_is_ready_asks_no_more_while_others_do() {
        let asks = [1, 2].map(|number| Appetite { worker: worker(number), wants: 1, has: PLAIN });
        let mut found = FruitlessNeeds::default();
        found.learn(&asks, &[claimed(1)], 2, Left { cut: false, kept: true });
        assert_eq!([1, 2, 3].map(|number| found.is(worker(number), PLAIN)), [false, true, false]);
        found.forget();
        assert!(!found.is(worker(2), PLAIN));
    }
}
