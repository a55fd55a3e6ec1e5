//! `weevil submit`: puts a stand-alone job into a queue, and waits for its result if asked to.

use std::path::PathBuf;

use clap::Args;
use weevil_api::{JobAsked, JobResult};
use weevil_client::Server;
use weevil_model::{ContentHash, NodeState};

use crate::asking::AskingInside;
use crate::inert::{Inert, complain, say_json, say_line};
use crate::result::attempt;
use crate::{Exit, wait};

/// Hexadecimal digits of a seed.
const SEED_DIGITS: usize = 16;

#[derive(Debug, Args)]
pub struct Submit {
    /// File of JavaScript that defines `weevil_main`, or the content hash of stored code.
    #[arg(value_name = "FILE or HASH")]
    code: String,
    /// The arguments, each as JSON.
    #[arg(value_name = "JSON")]
    input: Vec<String>,
    /// Name of the queue.
    #[arg(long, value_name = "NAME")]
    queue: Option<String>,
    /// The same key in the same queue is the same job: sending it again changes nothing.
    #[arg(long)]
    key: Option<String>,
    /// The type that the result must have, such as Number.
    #[arg(long, value_name = "TYPE")]
    returns: Option<String>,
    /// -50000 to 50000; larger is earlier.
    #[arg(long, allow_negative_numbers = true)]
    priority: Option<i32>,
    /// A capability that a worker must have, `webcl`, `wasm` or `deterministic`; may be given several times.
    #[arg(long, value_name = "CAPABILITY")]
    needs: Vec<String>,
    /// Memory that a worker must offer, in MiB.
    #[arg(long, value_name = "MIB")]
    memory: Option<u32>,
    /// Keep the job back for so long.
    #[arg(long, value_name = "SECONDS")]
    delay_seconds: Option<u32>,
    /// End the job if it waits longer than this for a worker.
    #[arg(long, value_name = "SECONDS")]
    max_wait_seconds: Option<u32>,
    #[arg(long, value_name = "SECONDS")]
    timeout_seconds: Option<u32>,
    /// Attempts in all.
    #[arg(long)]
    attempts: Option<u32>,
    /// What its random numbers follow from: 16 hexadecimal digits, as `GET /api/v1/jobs/JOB` tells them; else its
    /// code and key.
    #[arg(long, value_name = "HEX", value_parser = seed)]
    seed: Option<String>,
    /// From which answers on its value is believed, whatever the server's own policy: none; quorum(3), where three
    /// volunteers who are independent of each other have to agree; or credible(0.001), where so much is checked that at
    /// most this share of the values is wrong.
    #[arg(long, value_name = "POLICY")]
    trust: Option<String>,
    /// When two answers are the same, where they are compared: exact; near(1e-9), where numbers may differ by this share of the
    /// larger one; near(1e-9, 1e-12), or by this distance; or the content hash of a stored module that says so.
    #[arg(long, value_name = "HOW")]
    agree: Option<String>,
    /// Wait until the job has ended, and print its result.
    #[arg(long)]
    wait: bool,
    #[command(flatten)]
    asking: AskingInside,
    /// Print what the server answers: one JSON object.
    #[arg(long)]
    json: bool,
}

impl Submit {
    pub(crate) fn execute(self) -> Exit {
        self.submit().unwrap_or_else(Exit::CouldNot)
    }

    fn submit(&self) -> Result<Exit, String> {
        let server = self.asking.server()?;
        let kept = server.submit_job(&self.asked()?)?;
        if self.wait {
            return self.await_end(&server, &kept.job);
        }
        match kept.created {
            _ if self.json => say_json(&kept),
            true => say_line(&kept.job),
            false => say_line(&format!("{} was there before", kept.job)),
        }
        Ok(Exit::Done)
    }

    fn asked(&self) -> Result<JobAsked, String> {
        let input = self.input.iter().map(|text| argument(text)).collect::<Result<_, _>>()?;
        let ms = |seconds: Option<u32>| seconds.map(|seconds| seconds.saturating_mul(1000));
        Ok(JobAsked {
            queue: self.queue.clone(),
            key: self.key.clone(),
            input,
            returns: self.returns.clone(),
            priority: self.priority,
            capabilities: self.needs.clone(),
            memory_mb: self.memory,
            delay_ms: ms(self.delay_seconds),
            max_wait_ms: ms(self.max_wait_seconds),
            retry_ms: None,
            timeout_ms: ms(self.timeout_seconds),
            attempts: self.attempts,
            seed: self.seed.clone(),
            trust: self.trust.clone(),
            agree: self.agree.clone(),
            ..self.code()?
        })
    }

    /// The fields that name the code.
    fn code(&self) -> Result<JobAsked, String> {
        let path = PathBuf::from(&self.code);
        if self.code.parse::<ContentHash>().is_ok() && !path.exists() {
            return Ok(JobAsked { code: Some(self.code.clone()), ..JobAsked::default() });
        }
        let source = std::fs::read_to_string(&path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(JobAsked { source: Some(source), name, ..JobAsked::default() })
    }

    fn await_end(&self, server: &Server, job: &str) -> Result<Exit, String> {
        let found = wait::job(server, job, self.json)?;
        match &found.result {
            _ if self.json => say_json(&found),
            Some(result) => say_json(result),
            None => complain(&Inert::lines(&story(&found))),
        }
        Ok(if found.state == NodeState::Finished { Exit::Done } else { Exit::RunFailed })
    }
}

/// All digits are asked for, as the server does: `7` may be meant as a number of either kind.
fn seed(text: &str) -> Result<String, String> {
    let is_one = text.len() == SEED_DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_one.then(|| text.to_owned()).ok_or_else(|| {
        format!("a seed has {SEED_DIGITS} hexadecimal digits, as in 000000000000002a; this is none")
    })
}

fn argument(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| {
        format!(
            "the argument `{text}` is not JSON: {error}; a text needs quotes of its own, as in '\"text\"'"
        )
    })
}

fn story(found: &JobResult) -> String {
    let mut lines = vec![format!("{} is {}", found.job, found.state)];
    lines.extend(found.errors.iter().flat_map(attempt));
    lines.into_iter().map(|line| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_has_all_its_digits() {
        for (text, is_one) in [
            ("000000000000002a", true),
            ("FFFFFFFFFFFFFFFF", true),
            ("", false),
            ("2a", false),
            ("000000000000002g", false),
            ("+00000000000000f", false),
            ("0x0000000000002a", false),
            ("000000000000002a0", false),
            ("00000000000000é", false),
        ] {
            assert_eq!(seed(text).is_ok(), is_one, "{text}");
        }
    }
}
