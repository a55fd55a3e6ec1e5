//! Layouts of stored workflows: made off the threads that answer, one at a time, and the last few kept in memory.
//!
//! Never asks who may see one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::web;
use weevil_model::ContentHash;
use weevil_records::StoredWorkflow;
use weevil_workflow::Bundle;
use weevil_workflow::layout::{Graph, Layout};

use super::node_names::NodeNames;
use crate::refusal::Refusal;

/// Layouts that are kept, about 5 MB each of 100,000 nodes; the one that was asked for the longest time ago makes room.
const MAX_KEPT_LAYOUTS: usize = 8;

/// A workflow as it is drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    pub workflow: ContentHash,
    pub layout: Layout,
    pub names: NodeNames,
}

/// The last ones that were asked for.
#[derive(Debug, Default)]
pub(crate) struct Layouts {
    /// The newest last.
    kept: Mutex<Vec<Arc<Drawn>>>,
    /// Held by whoever makes one: a large document takes much of a core and its own size several times.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Layouts {
    /// The layout of a workflow. `stored` reads it, and is asked only where no layout is kept.
    ///
    /// # Errors
    /// Those of `stored`; this release refuses the workflow.
    pub(super) async fn of(
        &self,
        workflow: ContentHash,
        stored: impl AsyncFnOnce() -> Result<StoredWorkflow, Refusal>,
    ) -> Result<Arc<Drawn>, Refusal> {
        if let Some(known) = self.known(workflow) {
            return Ok(known);
        }
        let turn = self.turn.clone().lock_owned().await;
        // Whoever had the turn before may have made it.
        if let Some(known) = self.known(workflow) {
            return Ok(known);
        }
        let stored = stored().await?;
        let made = web::block(move || {
            // Kept to the end of the work, also where nobody waits for it any more.
            let _turn = turn;
            draw(workflow, stored)
        });
        let drawn = Arc::new(made.await.map_err(|error| Refusal::Internal(error.to_string()))??);
        self.keep(drawn.clone());
        Ok(drawn)
    }

    fn known(&self, workflow: ContentHash) -> Option<Arc<Drawn>> {
        let mut kept = self.kept();
        let place = kept.iter().position(|drawn| drawn.workflow == workflow)?;
        let drawn = kept.remove(place);
        kept.push(drawn.clone());
        Some(drawn)
    }

    fn keep(&self, drawn: Arc<Drawn>) {
        let mut kept = self.kept();
        kept.retain(|known| known.workflow != drawn.workflow);
        kept.push(drawn);
        let beyond = kept.len().saturating_sub(MAX_KEPT_LAYOUTS);
        kept.drain(..beyond);
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Arc<Drawn>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// From files to a layout. What an older release has accepted is taken as it was.
fn draw(workflow: ContentHash, stored: StoredWorkflow) -> Result<Drawn, Refusal> {
    let bundle = Bundle::new(stored.files.into_iter().collect())?;
    let loaded = weevil_workflow::load_accepted(&bundle, stored.checked_by).map_err(Refusal::BadWorkflow)?;
    let (layout, names) = (Layout::new(Graph::from(&loaded.plan)), NodeNames::of(&loaded.plan));
    Ok(Drawn { workflow, layout, names })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::collections::BTreeSet;

    use weevil_records::FinalNode;
    use weevil_workflow::codes::CHECKER;

    use super::*;

    fn stored(document: &str) -> StoredWorkflow {
        let files = vec![("w.xml".to_owned(), document.as_bytes().to_vec())];
        let hash = ContentHash::of(document.as_bytes());
        let (name, code, final_node) = ("w".to_owned(), BTreeSet::new(), FinalNode::Untold);
        StoredWorkflow { hash, name, files, code, checked_by: CHECKER, final_node }
    }

    fn value(id: &str) -> StoredWorkflow {
        let node = format!("<value id=\"{id}\" value=\"1\" returntype=\"Number\"/>");
        stored(&format!("<workflow><nodes>{node}</nodes><finalnode id=\"{id}\"/></workflow>"))
    }

    /// Asks for each of these in turn; which of them had to be made.
    async fn made(layouts: &Layouts, ids: &[&str]) -> Vec<String> {
        let mut made = Vec::new();
        for id in ids {
            let (workflow, asked) = (value(id), Cell::new(false));
            let read = async || {
                asked.set(true);
                Ok(workflow.clone())
            };
            let drawn = layouts.of(workflow.hash, read).await.unwrap();
            assert_eq!((drawn.names.id(0), drawn.layout.nodes()), (*id, 1));
            made.extend(asked.get().then(|| (*id).to_owned()));
        }
        made
    }

    #[actix::test]
    async fn the_last_ones_that_were_asked_for_are_kept() {
        let layouts = Layouts::default();
        let eight = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(made(&layouts, &eight).await, eight);
        assert_eq!(made(&layouts, &eight).await, [""; 0], "all of them are kept");
        assert_eq!(
            made(&layouts, &["a", "i", "a", "b"]).await,
            ["i", "b"],
            "the one asked for longest ago goes"
        );
        assert_eq!(layouts.kept().len(), MAX_KEPT_LAYOUTS);
    }

    #[actix::test]
    async fn what_this_release_refuses_is_refused_in_words_each_time() {
        let layouts = Layouts::default();
        for (broken, code) in [
            (stored("<workflow/>"), "badWorkflow"),
            (StoredWorkflow { files: vec![], ..value("a") }, "badBundle"),
        ] {
            for _ in 0..2 {
                let refused = layouts.of(broken.hash, async || Ok(broken.clone())).await.unwrap_err();
                assert_eq!(refused.code(), code, "{refused}");
            }
        }
        assert!(layouts.kept().is_empty());
    }
}
