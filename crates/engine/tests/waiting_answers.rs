//! What an answer that waits to be believed takes of the server's memory, counted at the allocator.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::sync::Arc;

use dhat::{Alloc, HeapStats, Profiler};
use tempfile::TempDir;
use weevil_engine::rehearsal::hold;
use weevil_records::{Store, StoreError};
use weevil_store::SqliteStore;
use weevil_workflow::{Bundle, Plan};

#[global_allocator]
static COUNTED: Alloc = Alloc;

const WAITING: usize = 10_000;

fn plan(elements: usize) -> Plan {
    let numbers: Vec<String> = (0..elements).map(|number| number.to_string()).collect();
    let document = format!(
        r#"<workflow><nodes><value id="numbers" value="[{}]" returntype="Array"/>
        <pool id="squares" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters>
          <processor id="square" src="F" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></processor>
          <reducer id="sum" src="F" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters></reducer>
        </pool></nodes><edges><edge id="e" source="numbers" dest="squares"/></edges><finalnode id="squares"/></workflow>"#,
        numbers.join(",")
    );
    let files = [("workflow.xml", &*document), ("F.js", "function weevil_main(a) { return a }")]
        .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    weevil_workflow::load(&Bundle::new(BTreeMap::from(files)).unwrap()).unwrap().plan
}

/// Bytes of a run all of whose elements have answered, beside its plan.
fn held(elements: usize) -> usize {
    let (folder, plan) = (TempDir::new().unwrap(), plan(elements));
    let path = folder.path().join("rehearsal.db");
    let store = async move {
        let store: Result<Arc<dyn Store>, StoreError> = Ok(Arc::new(SqliteStore::open(&path).await?));
        store
    };
    let _counting = Profiler::builder().testing().build();
    let mut bytes = 0;
    hold(plan, store, elements, || bytes = HeapStats::get().curr_bytes).unwrap();
    bytes
}

/// One test, because there is one allocator. All that grows with a pool's elements is counted, the places of their results
/// too.
#[test]
fn an_answer_that_waits_costs_less_than_200_bytes() {
    let [one, all] = [1, WAITING].map(held);
    let each = all.saturating_sub(one) / (WAITING - 1);
    assert!((32..200).contains(&each), "{each} bytes: {all} beside {one}");
}
