//! A worker that speaks plain HTTP with XML bodies: each exchange is one function. Computes nothing.

use weevil_model::Capabilities;
use weevil_protocol::frame::{AttemptKey, Verdict};
use weevil_protocol::plain::{
    Dequeue, Finding, Heartbeat, Held, Job, Jobs, Join, Joined, Leave, Left, PLAIN_PATH, PLAIN_VERSION, Pass,
    PlainError, Refused, Renewal, Renewals, Report, Submit, Values, Verdicts,
};

use crate::{Answer, Api};

/// One worker that has joined. Dropping it vanishes without a word.
#[derive(Debug)]
pub struct PlainWorker {
    api: Api,
    pub joined: Joined,
}

impl PlainWorker {
    pub fn join(address: &str) -> Self {
        Self::join_with(address, Values::Json)
    }

    pub fn join_with(address: &str, values: Values) -> Self {
        Self::join_as(address, &Join { values, ..Self::join_message() })
    }

    pub fn join_as(address: &str, join: &Join) -> Self {
        let api = Api::new(address);
        let joined = read(&post(&api, "join", &join.to_xml()), Joined::parse);
        Self { api, joined }
    }

    /// What a worker says that the server takes.
    pub fn join_message() -> Join {
        Join {
            protocol: PLAIN_VERSION,
            browser_type: "plain".into(),
            capabilities: Capabilities::JAVASCRIPT,
            location: Some("here".into()),
            slots: 1,
            memory_mb: 0,
            values: Values::Json,
            token: None,
        }
    }

    fn pass(&self) -> Pass {
        self.joined.pass.clone()
    }

    /// Any body, to one of the exchanges.
    pub fn post(&self, exchange: &str, body: &str) -> Answer {
        post(&self.api, exchange, body)
    }

    /// Asks once, and waits as long as the server does.
    pub fn dequeue(&self, max: u32) -> Vec<Job> {
        self.dequeue_within(max, None)
    }

    pub fn dequeue_within(&self, max: u32, wait_ms: Option<u32>) -> Vec<Job> {
        let dequeue = Dequeue { pass: self.pass(), max, wait_ms };
        read(&self.post("dequeue", &dequeue.to_xml()), Jobs::parse).jobs
    }

    /// Asks until there is a job.
    pub fn job(&self) -> Job {
        loop {
            if let Some(job) = self.dequeue(1).pop() {
                return job;
            }
        }
    }

    /// Asks until there have been `count` jobs.
    pub fn jobs(&self, count: u32) -> Vec<Job> {
        let mut jobs = Vec::new();
        while jobs.len() < count as usize {
            jobs.extend(self.dequeue(count - u32::try_from(jobs.len()).unwrap_or(count)));
        }
        jobs
    }

    /// What is answered to these reports.
    pub fn submit(&self, reports: Vec<(AttemptKey, Finding)>) -> Verdicts {
        let reports = reports.into_iter().map(|(key, finding)| Report {
            key,
            slot: 0,
            compute_us: 1000,
            log: None,
            flops: 0.0,
            finding,
        });
        self.submit_all(reports.collect())
    }

    pub fn submit_all(&self, reports: Vec<Report>) -> Verdicts {
        let submit = Submit { pass: self.pass(), reports };
        read(&self.post("submit", &submit.to_xml()), Verdicts::parse)
    }

    /// The verdicts alone, for values as texts.
    pub fn values(&self, values: &[(AttemptKey, &str)]) -> Vec<Verdict> {
        let reports = values.iter().map(|(key, text)| (*key, plain_value(text))).collect();
        self.submit(reports).0.into_iter().map(|answer| answer.verdict).collect()
    }

    pub fn heartbeat(&self, holding: &[AttemptKey]) -> Vec<(AttemptKey, Renewal)> {
        self.tell(holding.iter().map(|key| Held { key: *key, progress: None }).collect())
    }

    /// A heartbeat that tells how much of each job is done.
    pub fn tell(&self, holding: Vec<Held>) -> Vec<(AttemptKey, Renewal)> {
        let heartbeat = Heartbeat { pass: self.pass(), holding };
        read(&self.post("heartbeat", &heartbeat.to_xml()), Renewals::parse).attempts
    }

    pub fn leave(&self) {
        read(&self.post("leave", &Leave(self.pass()).to_xml()), Left::parse);
    }

    /// Status and body of a refusal.
    pub fn refused(&self, exchange: &str, body: &str) -> (u16, Refused) {
        let answer = self.post(exchange, body);
        (answer.status, Refused::parse(answer.text.as_bytes()).unwrap_or_else(|_| panic!("{}", answer.text)))
    }
}

/// A value as its text.
pub fn plain_value(text: &str) -> Finding {
    Finding::Value(text.to_owned())
}

fn post(api: &Api, exchange: &str, body: &str) -> Answer {
    api.post(&format!("{PLAIN_PATH}/{exchange}"), "application/xml", &[], body.as_bytes())
}

fn read<T>(answer: &Answer, parse: impl Fn(&[u8]) -> Result<T, PlainError>) -> T {
    assert_eq!(answer.status, 200, "{}", answer.text);
    parse(answer.text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{}", answer.text))
}
