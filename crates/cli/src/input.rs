//! `weevil input`: what a job was given.

use clap::Args;
use weevil_model::{Encoded, JobId};

use crate::Exit;
use crate::asking::Asking;
use crate::cut::Cut;
use crate::inert::say_json;

#[derive(Debug, Args)]
pub struct Input {
    /// Id of the job; its beginning is enough where no other one has it.
    job: Cut<JobId>,
    #[command(flatten)]
    asking: Asking,
}

impl Input {
    pub(crate) fn execute(self) -> Exit {
        self.print().map_or_else(Exit::CouldNot, |()| Exit::Done)
    }

    fn print(&self) -> Result<(), String> {
        let server = self.asking.server()?;
        let input = server.job_input(&self.job.job(&server)?)?;
        say_json(&arguments(&input)?);
        Ok(())
    }
}

/// The JSON view of a job's arguments: an array.
///
/// # Errors
/// In words for people: this is no value.
pub(crate) fn arguments(input: &[u8]) -> Result<serde_json::Value, String> {
    let input = Encoded::checked(input).and_then(|input| input.value());
    input.map(|input| input.to_json()).map_err(|error| format!("the job's input cannot be read: {error}"))
}
