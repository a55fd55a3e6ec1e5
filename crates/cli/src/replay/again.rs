//! The job once more, on a throw-away server of this machine.

use std::collections::BTreeMap;

use weevil_api::JobAsked;
use weevil_client::{Form, Server};
use weevil_model::ContentHash;
use weevil_workflow::is_module;

use super::outcome::Outcome;
use super::subject::Subject;
use crate::Exit;
use crate::files::OnDisk;
use crate::inert::{Inert, complain};
use crate::local::{Furnishing, House, introduce, leave};
use crate::report::told;
use crate::wait::LOOK_MS;

/// What every job of the language has without asking; the others are named.
const USUAL: [&str; 2] = ["javascript", "wasm"];
/// Brings a file to a server, and runs nothing.
const AROUND: &str = "<workflow><nodes><value id=\"none\" value=\"0\" returntype=\"Number\"/></nodes>
<edges/><finalnode id=\"none\"/></workflow>";

/// What came of it here, and where that was: all of it ends with this.
pub(super) struct Again {
    pub(super) outcome: Outcome,
    house: House,
}

/// # Errors
/// In words for people.
pub(super) fn again(subject: &Subject, furnishing: &Furnishing) -> Result<Again, String> {
    leave(Exit::Interrupted)?;
    let house = House::start(furnishing)?;
    introduce(&house);
    let asked = asked(subject, &house.server)?;
    let job = house.server.submit_job(&asked)?.job;
    let result = loop {
        let found = house.server.job_result(&job, Some(LOOK_MS));
        if let Ok(found) = found
            && found.state.is_terminal()
        {
            break found;
        }
        house.lives()?;
    };
    Ok(Again { outcome: Outcome::of(result)?, house })
}

impl Again {
    /// Lets people look around until Ctrl-C, which ends the command with this.
    ///
    /// # Errors
    /// The system takes no handler.
    pub(super) fn stay(&self, exit: &Exit) -> Result<(), String> {
        leave(exit.clone())?;
        let console = Inert::line(&self.house.console);
        complain(&Inert::fill("the browser stays until Ctrl-C; {}\n", &[&console]));
        self.house.stay();
        Ok(())
    }
}

/// As it was, but for one attempt.
fn asked(subject: &Subject, server: &Server) -> Result<JobAsked, String> {
    let (history, needs) = (&subject.history, &subject.history.job.needs);
    let named = needs.capabilities.iter().filter(|name| !USUAL.contains(&name.as_str()));
    let asked = JobAsked {
        name: Some(subject.name.clone()),
        input: subject.arguments()?,
        seed: Some(history.seed.clone()),
        returns: history.returns.clone(),
        timeout_ms: Some(history.timeout_ms),
        capabilities: named.cloned().collect(),
        memory_mb: Some(needs.memory_mb),
        attempts: Some(1),
        trust: Some("none".into()),
        ..JobAsked::default()
    };
    let asked = match &subject.files {
        Some(files) => JobAsked { workflow: Some(kept(files, server)?), ..asked },
        None => asked,
    };
    if subject.is_file() {
        return Ok(JobAsked { code: Some(ContentHash::of(&subject.code).to_string()), ..asked });
    }
    if is_module(&subject.code) {
        return Ok(JobAsked { code: Some(kept_module(&subject.code, server)?), ..asked });
    }
    let source = String::from_utf8(subject.code.clone());
    let source = source.map_err(|_| "the job's code is neither text nor a module".to_owned())?;
    Ok(JobAsked { source: Some(source), ..asked })
}

/// A server takes modules with workflows alone, so this one gets a workflow around it. Answers the module's hash.
fn kept_module(code: &[u8], server: &Server) -> Result<String, String> {
    let document = ("workflow.xml".to_owned(), AROUND.as_bytes().to_vec());
    let files = BTreeMap::from([document, ("Module.wasm".to_owned(), code.to_vec())]);
    kept(&files, server)?;
    Ok(ContentHash::of(code).to_string())
}

fn kept(files: &BTreeMap<String, Vec<u8>>, server: &Server) -> Result<String, String> {
    let mut form = Form::default();
    form.workflow("replay", files);
    let kept = server.keep_workflow(&form).map_err(|refused| told(refused, &OnDisk::default()))?;
    Ok(kept.workflow)
}
