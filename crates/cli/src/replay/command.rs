//! The command line of `weevil replay`.

use std::path::{Path, PathBuf};

use clap::Args;
use weevil_model::JobId;

use super::again::again;
use super::subject::Subject;
use super::{kit, outcome};
use crate::Exit;
use crate::asking::Asking;
use crate::cut::Cut;
use crate::inert::{say_json, say_line};
use crate::local::Furnishing;

#[derive(Debug, Args)]
pub struct Replay {
    /// Id of the job; its beginning is enough where no other one has it.
    #[arg(required_unless_present = "from")]
    job: Option<Cut<JobId>>,
    /// The attempt whose end is compared; without it the one that decided.
    #[arg(long, value_name = "N")]
    attempt: Option<u32>,
    /// Let the browser be seen, with its tools, until Ctrl-C.
    #[arg(long)]
    show: bool,
    /// Write its input, its code and a script that has it again into this folder, which is made, and compute nothing.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["show", "json"])]
    dir: Option<PathBuf>,
    /// The job that `--dir` has written into this folder, with what was changed there since. Asks no server.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["job", "attempt", "dir"])]
    from: Option<PathBuf>,
    /// The browser, a path or a name on the path.
    #[arg(long, value_name = "PATH")]
    browser: Option<PathBuf>,
    /// Let the job have the graphics card, if it needs one.
    #[arg(long)]
    gpu: bool,
    #[command(flatten)]
    asking: Asking,
    /// Print one JSON object with `same`, `there` and `here`.
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub(crate) fn execute(self) -> Exit {
        self.replay().unwrap_or_else(Exit::CouldNot)
    }

    fn subject(&self) -> Result<Subject, String> {
        let Some(job) = &self.job else { return kit::read(self.from.as_deref().unwrap_or(Path::new("."))) };
        let server = self.asking.server()?;
        Subject::fetch(&server, job.job(&server)?, self.attempt)
    }

    fn replay(&self) -> Result<Exit, String> {
        let subject = self.subject()?;
        if let Some(folder) = &self.dir {
            kit::write(folder, &subject)?;
            say_line(&format!("{} holds the job: its run.sh has it again", folder.display()));
            return Ok(Exit::Done);
        }
        let gpu = self.gpu || subject.wants_gpu();
        let furnishing = Furnishing { browser: self.browser.clone(), slots: Some(1), gpu, shown: self.show };
        let here = again(&subject, &furnishing)?;
        let told = outcome::Compared::of(&subject.outcome, &here.outcome);
        if self.json {
            say_json(&told);
        } else {
            told.words().iter().for_each(|line| say_line(line));
        }
        let exit = if told.same { Exit::Done } else { Exit::ProblemsFound };
        if self.show {
            here.stay(&exit)?;
        }
        Ok(exit)
    }
}
