//! What waits, counted for people: each statement goes along an index, and never over the jobs that have ended.

use weevil_model::Needs;
use weevil_queue::{Batch, Cancel, NewJob, Origin};

use super::{Ear, TURN, heard, none_walks};
use crate::bed::Bed;
use crate::databases::Kind;
use crate::stated::stated_in;

/// Jobs that have ended; a plan that is good among few rows may be bad among many.
const ENDED: usize = 500;

pub(crate) async fn what_waits_is_counted_along_its_index(kind: Kind) {
    let _turn = TURN.lock().await;
    let _set_by_the_other = tracing::subscriber::set_global_default(Ear);
    let mut bed = Bed::new(kind).await;
    let ended = (0..ENDED).map(|at| bed.job(&format!("ended/{at}"), 0)).collect();
    bed.put(ended).await;
    bed.apply(Batch { cancel: vec![Cancel::Run(bed.run)], ..Batch::default() }).await;
    let alone = |job: NewJob| NewJob { origin: Origin::Queue("q".into()), ..job };
    let jobs: Vec<NewJob> = (0..100).map(|at| alone(bed.job(&format!("waits/{at}"), 0))).collect();
    let last = jobs[99].id;
    bed.put(jobs).await;
    heard();
    assert_eq!(bed.store.ahead(last, &[Needs::JAVASCRIPT]).await.unwrap().map(|ahead| ahead.jobs), Some(99));
    assert_eq!(bed.store.waiting_classes().await.unwrap()[0].jobs, 100);
    assert_eq!(bed.store.waiting_queues().await.unwrap()[0].ready, 100);
    let statements = heard();
    let own =
        stated_in(&["parts"], kind).into_iter().filter(|stated| stated.place.ends_with("parts/waits.rs"));
    let own: Vec<_> = own.collect();
    assert_eq!(own.len(), 5);
    for stated in own {
        assert!(statements.iter().any(|text| stated.is(text)), "{} is not run", stated.place);
    }
    none_walks(&bed.database, &["jobs"], &statements).await;
}
