//! `weevil explain`: why a job stands as it does, in the server's sentences, and above all what became of it.
//!
//! The sentences are printed as the server says them; nothing is concluded here.

use clap::Args;
use serde::Serialize;
use weevil_api::JobHistory;
use weevil_api::explain::{Explanation, ReasonView};
use weevil_client::Server;
use weevil_model::JobId;

use crate::Exit;
use crate::asking::Asking;
use crate::clock::now;
use crate::cut::Cut;
use crate::inert::{Inert, complain, say, say_json};
use crate::jobs::{story, whole};

#[derive(Debug, Args)]
pub struct Explain {
    /// Id of the job; its beginning is enough where no other one has it.
    job: Cut<JobId>,
    #[command(flatten)]
    asking: Asking,
    /// Print what the server answers: one JSON object with `job`, `run`, `attempts` and `reasons`.
    #[arg(long)]
    json: bool,
}

/// Both answers as one; without `reasons` where the server has told none.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    history: JobHistory,
    #[serde(flatten)]
    why: Option<Explanation>,
}

impl Explain {
    pub(crate) fn execute(self) -> Exit {
        let told = self.asking.server().and_then(|server| ask(&server, self.job.job(&server)?));
        match told {
            Ok(told) if self.json => say_json(&told),
            Ok(Told { history, why }) => {
                let reasons: Inert = why.iter().flat_map(|why| &why.reasons).map(reason).collect();
                say(&reasons);
                say(&Inert::lines(&story(&history, now())));
            }
            Err(why) => return Exit::CouldNot(why),
        }
        Exit::Done
    }
}

/// A server that is older than the reasons still tells the rest.
fn ask(server: &Server, job: JobId) -> Result<Told, String> {
    let history = whole(server, job)?;
    let why = server.explain_job(&job);
    if let Err(missing) = &why {
        complain(&Inert::fill("{}\n", &[&Inert::line(missing)]));
    }
    Ok(Told { history, why: why.ok() })
}

/// A line for the reason, and one for its cure.
fn reason(reason: &ReasonView) -> Inert {
    let why = Inert::fill("why: {}\n", &[&Inert::line(&reason.text)]);
    let cure = reason.cure.as_deref().map(|cure| Inert::fill("     {}\n", &[&Inert::line(cure)]));
    [Some(why), cure].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use weevil_api::explain::{cancelled, no_worker, queue_paused};
    use weevil_model::{PauseWords, QueuePause, Timestamp};

    use super::*;

    #[test]
    fn a_reason_has_a_line_and_its_cure_another_whatever_a_note_says() {
        let words = PauseWords { by: Some("ada".into()), note: Some("new\nrack\u{1B}[2J".into()) };
        let pause = QueuePause { since: Timestamp(0), words };
        for (view, expected) in [
            (cancelled(), "why: It was cancelled, or its run was.\n"),
            (
                no_worker(),
                "why: No worker is connected.\n     Open the server's address in a browser and click Start.\n",
            ),
            (
                queue_paused(&pause, pause.since),
                "why: The queue is paused since 00:00 UTC by ada: new\u{FFFD}rack\u{FFFD}[2J\n     `weevil resume` goes on.\n",
            ),
        ] {
            assert_eq!(reason(&view).as_str(), expected);
        }
    }
}
