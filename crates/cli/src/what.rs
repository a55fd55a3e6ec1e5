//! What a command is about that takes runs and jobs alike: the prefix of an id says which of the two it names.

use weevil_model::{IdError, JobId, RunId};

#[derive(Debug, Clone, Copy)]
pub(crate) enum What {
    Run(RunId),
    Job(JobId),
}

/// # Errors
/// It is an id of neither.
pub(crate) fn what(text: &str) -> Result<What, String> {
    if text.starts_with("job_") {
        return text.parse().map(What::Job).map_err(|error: IdError| error.to_string());
    }
    text.parse().map(What::Run).map_err(|error: IdError| error.to_string())
}
