//! What a server answers to every GET that reads its database, byte for byte but for what is told in another form on purpose
//! (`words.rs`). Never says what would be right.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use weevil_api::{JobPage, RunPage, WorkflowPage, WorkflowView};

use super::words;
use crate::Api;

/// One path and its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Answered {
    path: String,
    status: u16,
    body: String,
}

/// In the order in which they were asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers(Vec<Answered>);

impl Answers {
    /// The answers about everything that the lists of this server name, and about the jobs in these queues.
    pub fn all(api: &Api, queues: &[&str]) -> Self {
        Self::of(api, paths(api, queues))
    }

    /// The same paths, asked again, in the words of then.
    #[must_use]
    pub fn again(&self, api: &Api) -> Self {
        let mut again = Self::of(api, self.0.iter().map(|answered| answered.path.clone()));
        for Answered { path, status, body } in &mut again.0 {
            *body = words::as_then(path, *status, body);
        }
        again
    }

    fn of(api: &Api, paths: impl IntoIterator<Item = String>) -> Self {
        let ask = |path: String| {
            let answer = api.answer(&path);
            Answered { path, status: answer.status, body: answer.text }
        };
        Self(paths.into_iter().map(ask).collect())
    }

    /// What differs, as path, the one body and the other.
    pub fn differences<'a>(&'a self, other: &'a Self) -> Vec<(&'a str, &'a str, &'a str)> {
        assert_eq!(self.0.len(), other.0.len(), "the same paths");
        let pairs = self.0.iter().zip(&other.0).filter(|(one, another)| one != another);
        pairs.map(|(one, another)| (one.path.as_str(), one.body.as_str(), another.body.as_str())).collect()
    }

    /// # Panics
    /// Where the file is not one that [`Answers::write`] has written.
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut read: Self =
            serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for Answered { path, body, .. } in &mut read.0 {
            *body = words::of_then(path, body);
        }
        read
    }

    pub fn write(&self, file: &Path) {
        let text = serde_json::to_string_pretty(self).expect("texts are JSON") + "\n";
        std::fs::write(file, text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

fn paths(api: &Api, queues: &[&str]) -> Vec<String> {
    let mut paths =
        vec!["/api/v1/runs".to_owned(), "/api/v1/queue".to_owned(), "/api/v1/workflows".to_owned()];
    let mut jobs = Vec::new();
    let mut hashes = BTreeSet::new();
    for run in api.json::<RunPage>("/api/v1/runs").runs {
        let run = format!("/api/v1/runs/{}", run.id);
        jobs.push(format!("{run}/jobs"));
        paths.extend([run.clone(), format!("{run}/result")]);
    }
    jobs.extend(queues.iter().map(|queue| format!("/api/v1/jobs?queue={queue}")));
    for list in jobs {
        for job in api.json::<JobPage>(&list).jobs {
            let job = format!("/api/v1/jobs/{}", job.id);
            paths.extend([job.clone(), format!("{job}/result")]);
        }
        paths.push(list);
    }
    for named in api.json::<WorkflowPage>("/api/v1/workflows").workflows {
        hashes.extend(named.versions.into_iter().map(|version| version.workflow));
    }
    for hash in hashes {
        let workflow: WorkflowView = api.json(&format!("/api/v1/workflows/{hash}"));
        paths.extend(workflow.files.iter().map(|file| format!("/blobs/{}", file.hash)));
        paths.extend([format!("/api/v1/workflows/{hash}"), format!("/api/v1/aims/{hash}")]);
    }
    paths
}
