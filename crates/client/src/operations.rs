//! A function for each operation that somebody calls: what goes into the address, what is sent, what is read.
//!
//! Spells no path: the table of `weevil-api` does.

use std::fmt::Display;
use std::io::Read;

use ureq::Body;
use ureq::http::Response;
use weevil_api::routes::{Operation, search};
use weevil_api::{
    ConsoleLink, DevicePage, DeviceRank, DeviceView, Fleet, NoteAsked, RunCreated, RunPage, RunResult,
    RunView, WorkflowKept, WorkflowPage, WorkflowView,
};
use weevil_model::limits::MAX_PAGE;
use weevil_model::{ContentHash, RunState};

use crate::{Form, Refused, Server};

/// What a question comes to: the answer, or why there is none, in words for people.
pub(crate) type Answered<T> = Result<T, String>;

/// The `?` of a list: what is asked for, and the largest page behind `after`.
pub(crate) fn page(asked: &[(&str, Option<&dyn Display>)], after: Option<&str>) -> String {
    let (after, most) = (after.as_ref().map(|after| after as _), MAX_PAGE);
    search(&[asked, &[("after", after), ("limit", Some(&most))]].concat())
}

/// What is read piece by piece.
pub(crate) fn reader(answer: Response<Body>) -> Box<dyn Read> {
    Box::new(answer.into_body().into_reader())
}

/// Which runs, and how many of them in one page.
#[derive(Debug, Clone, Copy)]
pub struct RunFilter<'a> {
    /// How their names or ids begin.
    pub text: Option<&'a str>,
    pub state: Option<RunState>,
    pub workflow: Option<ContentHash>,
    /// `-created`, the newest first, unless something else is said.
    pub sort: Option<&'a str>,
    /// 1 to `MAX_PAGE`.
    pub limit: u32,
}

/// Runs.
impl Server {
    /// Checks a workflow, keeps it and starts a run of it.
    ///
    /// # Errors
    /// The server's words, and what is wrong with the workflow.
    pub fn create_run(&self, form: &Form) -> Result<RunCreated, Refused> {
        self.post(&(Operation::CreateRun.path(&[]) + &self.inside()), form)
    }

    /// A page of the runs in a state (`STARTED`, ..), or of all, the newest first, behind what `after` names.
    ///
    /// # Errors
    /// In words for people, as those of all questions.
    pub fn runs(&self, state: Option<&str>, after: Option<&str>) -> Answered<RunPage> {
        let state = state.as_ref().map(|state| state as _);
        let query = page(&[self.named_project(), ("state", state)], after);
        self.get(&(Operation::ListRuns.path(&[]) + &query))
    }

    /// A page of the runs that are asked for, in the order that is asked for, behind what `after` marks.
    ///
    /// # Errors
    /// In words for people.
    pub fn find_runs(&self, asked: &RunFilter<'_>, after: Option<&dyn Display>) -> Answered<RunPage> {
        let RunFilter { text, state, workflow, sort, limit } = asked;
        let state = state.map(RunState::as_str);
        let query = search(&[
            self.named_project(),
            ("q", text.as_ref().map(|text| text as _)),
            ("state", state.as_ref().map(|state| state as _)),
            ("workflow", workflow.as_ref().map(|workflow| workflow as _)),
            ("sort", sort.as_ref().map(|sort| sort as _)),
            ("after", after),
            ("limit", Some(limit)),
        ]);
        self.get(&(Operation::ListRuns.path(&[]) + &query))
    }

    /// How a run stands, and its nodes.
    ///
    /// # Errors
    /// There is no such run.
    pub fn run(&self, run: &dyn Display) -> Answered<RunView> {
        self.get(&Operation::ShowRun.path(&[run]))
    }

    /// How a run stands, and its result once there is one; with `wait_ms` once it has ended, or so many milliseconds are over.
    ///
    /// # Errors
    /// There is no such run.
    pub fn run_result(&self, run: &dyn Display, wait_ms: Option<u32>) -> Answered<RunResult> {
        let query = search(&[("waitMs", wait_ms.as_ref().map(|wait| wait as _))]);
        self.get(&(Operation::RunResult.path(&[run]) + &query))
    }

    /// The certificate of a run, as it comes.
    ///
    /// # Errors
    /// There is no such run, it has not ended, or nothing of it was judged.
    pub fn run_certificate(&self, run: &dyn Display) -> Answered<Box<dyn Read>> {
        self.open(&Operation::RunCertificate.path(&[run])).map(reader)
    }

    /// Ends a run; answers how it has ended, which may be otherwise.
    ///
    /// # Errors
    /// There is no such run.
    pub fn cancel_run(&self, run: &dyn Display) -> Answered<RunResult> {
        self.post_nothing(&Operation::CancelRun.path(&[run]))
    }

    /// Holds a run's jobs.
    ///
    /// # Errors
    /// There is no such run, it has ended, or the server refuses the note.
    pub fn pause_run(&self, run: &dyn Display, asked: &NoteAsked) -> Answered<RunView> {
        self.post_json(&Operation::PauseRun.path(&[run]), asked)
    }

    /// Lets a run's jobs go.
    ///
    /// # Errors
    /// There is no such run, or it has ended.
    pub fn resume_run(&self, run: &dyn Display) -> Answered<RunView> {
        self.post_nothing(&Operation::ResumeRun.path(&[run]))
    }
}

/// What is said of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceMark {
    Trust,
    Distrust,
    Forgive,
}

/// Workflows, workers and devices.
impl Server {
    /// Checks a workflow and keeps it without running it.
    ///
    /// # Errors
    /// The server's words, and what is wrong with the workflow.
    pub fn keep_workflow(&self, form: &Form) -> Result<WorkflowKept, Refused> {
        self.post(&(Operation::KeepWorkflow.path(&[]) + &self.inside()), form)
    }

    /// A page of the stored workflows by name, the newest first, behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn workflows(&self, after: Option<&str>) -> Answered<WorkflowPage> {
        self.get(&(Operation::ListWorkflows.path(&[]) + &page(&[self.named_project()], after)))
    }

    /// A stored workflow and its files.
    ///
    /// # Errors
    /// In words for people: there is no such workflow.
    pub fn workflow(&self, workflow: &dyn Display) -> Answered<WorkflowView> {
        self.get(&Operation::ShowWorkflow.path(&[workflow]))
    }

    /// Takes a stored workflow out of the project.
    ///
    /// # Errors
    /// In words for people: the project has no such workflow, or a run of it is kept there.
    pub fn remove_workflow(&self, workflow: &dyn Display) -> Answered<()> {
        let path = Operation::RemoveWorkflow.path(&[workflow]) + &self.inside();
        self.delete(&path).map_err(|refused| refused.message)
    }

    /// Who is connected.
    ///
    /// # Errors
    /// In words for people.
    pub fn fleet(&self) -> Answered<Fleet> {
        self.get(&Operation::ShowFleet.path(&[]))
    }
}

/// Signing in.
impl Server {
    /// A link for a browser that opens the console as who asks here.
    ///
    /// # Errors
    /// In words for people.
    pub fn console_link(&self) -> Answered<ConsoleLink> {
        self.post_nothing(&Operation::MakeConsoleLink.path(&[]))
    }

    /// A page of the devices of a rank, or of all, in the order of their fingerprints, behind what `after` names.
    ///
    /// # Errors
    /// In words for people.
    pub fn devices(&self, rank: Option<DeviceRank>, after: Option<&str>) -> Answered<DevicePage> {
        let rank = rank.map(DeviceRank::as_str);
        let query = page(&[("rank", rank.as_ref().map(|rank| rank as _))], after);
        self.get(&(Operation::ListDevices.path(&[]) + &query))
    }

    /// Marks the device whose fingerprint begins so. Answers how it stands.
    ///
    /// # Errors
    /// In words for people: there is no such device, or there are several.
    pub fn mark_device(&self, device: &dyn Display, mark: DeviceMark) -> Answered<DeviceView> {
        let operation = match mark {
            DeviceMark::Trust => Operation::TrustDevice,
            DeviceMark::Distrust => Operation::DistrustDevice,
            DeviceMark::Forgive => Operation::ForgiveDevice,
        };
        self.post_nothing(&operation.path(&[device]))
    }
}
