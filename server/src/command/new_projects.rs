//! What projects that are made from now on may use, as settings. Never changes one that is there.

use clap::Args;
use clap::builder::RangedU64ValueParser;
use weevil_access::Quotas;
use weevil_access::limits::MAX_QUOTA;

use crate::config::NewProjectQuotas;

#[derive(Debug, Args)]
#[expect(clippy::struct_field_names, reason = "fields are called as their options, which stand among others")]
pub(super) struct NewProjects {
    /// Open jobs that a project may have which is made from now on; 0 is no bound.
    #[arg(long, value_name = "JOBS", default_value_t = 0, env = "WEEVIL_PROJECT_JOBS", value_parser = quota())]
    project_jobs: u64,
    /// Open runs of such a project; 0 is no bound.
    #[arg(long, value_name = "RUNS", default_value_t = 0, env = "WEEVIL_PROJECT_RUNS", value_parser = quota())]
    project_runs: u64,
    /// Bytes that are kept for such a project; 0 is no bound.
    #[arg(long, value_name = "BYTES", default_value_t = 0, env = "WEEVIL_PROJECT_BYTES", value_parser = quota())]
    project_bytes: u64,
    /// Jobs that may be put into such a project within a minute; 0 is no bound.
    #[arg(long, value_name = "JOBS", default_value_t = 0, env = "WEEVIL_PROJECT_RATE", value_parser = quota())]
    project_rate: u64,
}

fn quota() -> RangedU64ValueParser {
    RangedU64ValueParser::new().range(0..=MAX_QUOTA)
}

impl From<NewProjects> for NewProjectQuotas {
    fn from(settings: NewProjects) -> Self {
        let NewProjects { project_jobs, project_runs, project_bytes, project_rate } = settings;
        let quotas = Quotas { open_jobs: project_jobs, open_runs: project_runs, stored_bytes: project_bytes };
        Self { quotas, jobs_a_minute: project_rate }
    }
}
