//! From the body of `POST /api/v1/jobs` to jobs that may be put in: every field checked, each problem named with its job.
//!
//! The body stays the text that it is: each job is a piece of it, its input is packed without a tree. Never writes: what
//! is checked here is kept by `alone.rs`.

use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;
use weevil_api::JobAsked;
use weevil_engine::plans::SmallestError;
use weevil_model::limits::{
    DEFAULT_ATTEMPTS, DEFAULT_RETRY_MS, DEFAULT_TIMEOUT_SECONDS, MAX_ATTEMPTS, MAX_JOBS_AT_ONCE,
    MAX_KEY_CHARS, MAX_PRIORITY, MAX_QUEUE_CHARS,
};
use weevil_model::needs::MAX_MEMORY_MB;
use weevil_model::trust::Policy;
use weevil_model::{Agree, Capabilities, ContentHash, DataType, Encoded, Needs};
use weevil_workflow::check_code;

use super::policies;
use crate::refusal::Refusal;

const DEFAULT_QUEUE: &str = "default";
const DEFAULT_NAME: &str = "job.js";
const DEFAULT_MODULE: &str = "job.wasm";
/// Hexadecimal digits of a seed.
const SEED_DIGITS: usize = 16;

/// A job without mistakes; its code may still be unknown, like the module that compares.
pub(super) struct JobRequest {
    pub queue: Arc<str>,
    pub key: Option<Arc<str>>,
    pub code: Code,
    /// File name of the code, for stack traces.
    pub name: Arc<str>,
    pub input: Encoded,
    /// `None` leaves it to code and key.
    pub seed: Option<u64>,
    /// Whose kernels its code finds; it may be unknown.
    pub workflow: Option<ContentHash>,
    pub returns: Option<DataType>,
    pub priority: i32,
    pub needs: Needs,
    pub delay_ms: u32,
    pub max_wait_ms: Option<u32>,
    pub retry_ms: u32,
    pub timeout_ms: u32,
    pub attempts: u32,
    /// `None` leaves it to the server.
    pub trust: Option<Policy>,
    pub agree: Agree<ContentHash>,
}

impl JobRequest {
    /// Its code turns out to be a WebAssembly module, which needs nothing of JavaScript.
    pub(super) fn is_module(&mut self) {
        let Capabilities(named) = self.needs.capabilities;
        self.needs.capabilities = Capabilities(named & !Capabilities::JAVASCRIPT.0).and(Capabilities::WASM);
        if &*self.name == DEFAULT_NAME {
            self.name = DEFAULT_MODULE.into();
        }
    }

    /// Its code turns out to be a kernel of the workflow that it names, which needs nothing of JavaScript either.
    pub(super) const fn is_kernel(&mut self) {
        self.needs.capabilities = Capabilities::WEBCL;
    }
}

pub(super) enum Code {
    Source(String),
    Stored(ContentHash),
}

impl Code {
    pub(super) fn hash(&self) -> ContentHash {
        match self {
            Self::Source(source) => ContentHash::of(source.as_bytes()),
            Self::Stored(hash) => *hash,
        }
    }
}

/// What is asked for, and whether it came as an array. No policy may promise a smaller error than this.
pub(super) fn read(body: &[u8], smallest: SmallestError) -> Result<(Vec<JobRequest>, bool), Refusal> {
    let body = str::from_utf8(body).map_err(|error| Refusal::BadJob(error.to_string()))?.trim_ascii_start();
    if !body.starts_with('[') {
        return Ok((vec![one(body, smallest).map_err(refusal(None))?], false));
    }
    let job = |(number, job): (usize, &RawValue)| one(job.get(), smallest).map_err(refusal(Some(number)));
    Ok(((1..).zip(pieces(body)?).map(job).collect::<Result<_, _>>()?, true))
}

/// The jobs of an array as they stand there. Behind the last that is allowed nothing is read but that there is another.
fn pieces(body: &str) -> Result<Vec<&RawValue>, Refusal> {
    let mut pieces = Vec::new();
    let mut from = serde_json::Deserializer::from_str(body);
    let read = from.deserialize_seq(Pieces(&mut pieces)).and_then(|()| from.end());
    if pieces.len() > MAX_JOBS_AT_ONCE {
        return Err(Refusal::TooManyJobs);
    }
    read.map(|()| pieces).map_err(|error| Refusal::BadJob(error.to_string()))
}

struct Pieces<'p, 'b>(&'p mut Vec<&'b RawValue>);

impl<'b> Visitor<'b> for Pieces<'_, 'b> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("jobs in an array")
    }

    fn visit_seq<A: SeqAccess<'b>>(self, mut jobs: A) -> Result<(), A::Error> {
        while self.0.len() <= MAX_JOBS_AT_ONCE
            && let Some(job) = jobs.next_element()?
        {
            self.0.push(job);
        }
        Ok(())
    }
}

/// The arguments as they stand in the body; `None` where it has no arguments.
#[derive(Default)]
struct Arguments<'b>(Option<&'b RawValue>);

impl<'de: 'b, 'b> Deserialize<'de> for Arguments<'b> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Deserialize::deserialize(from).map(Some).map(Self)
    }
}

/// Names the job that a problem belongs to, where there are several.
fn refusal(number: Option<usize>) -> impl FnOnce(Problem) -> Refusal {
    move |problem| match (problem, number) {
        (Problem::Code(found), number) => Refusal::BadCode { job: number, found },
        (Problem::Words(words), None) => Refusal::BadJob(words),
        (Problem::Words(words), Some(number)) => Refusal::BadJob(format!("job {number}: {words}")),
    }
}

enum Problem {
    Words(String),
    Code(Vec<weevil_model::Diagnostic>),
}

impl From<String> for Problem {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

fn one(job: &str, smallest: SmallestError) -> Result<JobRequest, Problem> {
    let asked: JobAsked<Arguments<'_>> = serde_json::from_str(job).map_err(|error| error.to_string())?;
    let name = text("name", asked.name.as_deref().unwrap_or(DEFAULT_NAME), MAX_KEY_CHARS)?;
    Ok(JobRequest {
        queue: text("queue", asked.queue.as_deref().unwrap_or(DEFAULT_QUEUE), MAX_QUEUE_CHARS)?,
        key: asked.key.map(|key| text("key", &key, MAX_KEY_CHARS)).transpose()?,
        code: code(asked.source, asked.code, &name)?,
        name,
        input: input(&asked.input)?,
        seed: asked.seed.map(|digits| seed(&digits)).transpose()?,
        workflow: asked.workflow.map(|digits| workflow(&digits)).transpose()?,
        returns: asked.returns.map(|name| returns(&name)).transpose()?,
        priority: within("priority", asked.priority.unwrap_or(0), &(-MAX_PRIORITY..=MAX_PRIORITY))?,
        needs: needs(&asked.capabilities, asked.memory_mb.unwrap_or(0))?,
        delay_ms: asked.delay_ms.unwrap_or(0),
        max_wait_ms: asked.max_wait_ms.map(|ms| within("maxWaitMs", ms, &(1..=u32::MAX))).transpose()?,
        retry_ms: asked.retry_ms.unwrap_or(DEFAULT_RETRY_MS),
        timeout_ms: within(
            "timeoutMs",
            asked.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_SECONDS * 1000),
            &(1..=u32::MAX),
        )?,
        attempts: within("attempts", asked.attempts.unwrap_or(DEFAULT_ATTEMPTS), &(1..=MAX_ATTEMPTS))?,
        trust: asked.trust.map(|policy| trust(&policy, smallest)).transpose()?,
        agree: asked.agree.map(|words| agree(&words)).transpose()?.unwrap_or_default(),
    })
}

fn trust(policy: &str, smallest: SmallestError) -> Result<Policy, String> {
    policies::read(policy, smallest).map_err(|words| format!("`trust`: {words}"))
}

fn agree(words: &str) -> Result<Agree<ContentHash>, String> {
    words.parse::<Agree<ContentHash>>().map_err(|error| format!("`agree`: {error}"))
}

/// All digits are asked for: a number that JSON rounds would be another seed.
fn seed(digits: &str) -> Result<u64, String> {
    let is_whole = digits.len() == SEED_DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let found = u64::from_str_radix(digits, 16).ok().filter(|_| is_whole);
    found.ok_or_else(|| format!("`seed` is not {SEED_DIGITS} hexadecimal digits"))
}

/// Any text but nothing, control characters and too much; compared as it is.
fn text(field: &str, text: &str, most: usize) -> Result<Arc<str>, String> {
    let length = text.chars().count();
    if length == 0 || length > most {
        return Err(format!("`{field}` has {length} characters; 1 to {most} are allowed"));
    }
    if text.chars().any(char::is_control) {
        return Err(format!("`{field}` holds a control character"));
    }
    Ok(text.into())
}

fn within<N: PartialOrd + Display>(field: &str, found: N, allowed: &RangeInclusive<N>) -> Result<N, String> {
    if !allowed.contains(&found) {
        return Err(format!("`{field}` is {found}; {} to {} are allowed", allowed.start(), allowed.end()));
    }
    Ok(found)
}

fn code(source: Option<String>, stored: Option<String>, name: &str) -> Result<Code, Problem> {
    match (source, stored) {
        (Some(source), None) => match check_code(name, &source) {
            Ok(()) => Ok(Code::Source(source)),
            Err(found) => Err(Problem::Code(found)),
        },
        (None, Some(hash)) => match hash.parse() {
            Ok(hash) => Ok(Code::Stored(hash)),
            Err(error) => Err(Problem::Words(format!("`code`: {error}"))),
        },
        _ => {
            Err(Problem::Words("give `source`, or `code` with the hash of stored code, and not both".into()))
        }
    }
}

fn input(arguments: &Arguments<'_>) -> Result<Encoded, String> {
    let text = arguments.0.map_or("[]", RawValue::get);
    if !text.starts_with('[') {
        return Err("`input` is not an array: it holds the arguments, each in the JSON view of values".into());
    }
    Encoded::of_json_text(text).map_err(|error| format!("`input`: {error}"))
}

fn workflow(digits: &str) -> Result<ContentHash, String> {
    digits.parse().map_err(|error| format!("`workflow`: {error}"))
}

fn returns(name: &str) -> Result<DataType, String> {
    DataType::parse(name).ok_or_else(|| {
        format!("`returns` is `{name}`; Number, String, Boolean, Array, Object, undefined, null and the names of typed arrays are types")
    })
}

fn needs(names: &[String], memory_mb: u32) -> Result<Needs, String> {
    let mut capabilities = Capabilities::JAVASCRIPT;
    for name in names {
        let known = Capabilities::parse(name);
        capabilities = capabilities.and(known.ok_or_else(|| {
            let names: Vec<_> = Capabilities::NAMED.iter().map(|named| named.1).collect();
            format!("`capabilities` has `{name}`; {} are known", names.join(", "))
        })?);
    }
    Ok(Needs { capabilities, memory_mb: within("memoryMb", memory_mb, &(0..=MAX_MEMORY_MB))? })
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::AssumedShare;

    use super::*;

    const SOURCE: &str = r#""source": "function weevil_main() { return 1 }""#;

    /// By a server that assumes as many liars as it may.
    fn asked(body: &[u8]) -> Result<(Vec<JobRequest>, bool), Refusal> {
        read(body, SmallestError::assuming(AssumedShare::LARGEST))
    }

    #[test]
    fn each_mistake_names_its_field_and_its_job() {
        let long = "x".repeat(101);
        for (fields, told) in [
            (r#""priority": 50001"#.to_owned(), "`priority` is 50001; -50000 to 50000 are allowed"),
            (r#""attempts": 0"#.into(), "`attempts` is 0; 1 to 1000"),
            (r#""seed": "7""#.into(), "`seed` is not 16 hexadecimal digits"),
            (r#""seed": "+00000000000000f""#.into(), "`seed` is not 16 hexadecimal digits"),
            (r#""queue": """#.into(), "`queue` has 0 characters; 1 to 100"),
            (format!(r#""queue": "{long}""#), "`queue` has 101 characters"),
            (r#""key": "a\u0000""#.into(), "`key` holds a control character"),
            (r#""returns": "Int""#.into(), "`returns` is `Int`"),
            (r#""workflow": "pi""#.into(), "`workflow`: "),
            (
                r#""capabilities": ["gpu"]"#.into(),
                "`capabilities` has `gpu`; javascript, webcl, wasm, deterministic are known",
            ),
            (r#""memoryMb": 4294967295"#.into(), "`memoryMb` is 4294967295"),
            (r#""input": [{"$typed": "Int"}]"#.into(), "`input`: `$typed` marks nothing"),
            (r#""input": {"a": 1}"#.into(), "`input` is not an array"),
            (r#""input": null"#.into(), "`input` is not an array"),
            (r#""input": [1e999]"#.into(), "`input`: number out of range"),
            (r#""agree": "near(2)""#.into(), "`agree`: `near(2)` has a tolerance beyond 0 to 1"),
            (r#""agree": "Same.wasm""#.into(), "`agree`: `Same.wasm` compares nothing"),
            (format!(r#""agree": "{}""#, "0".repeat(63)), "or the hash of a stored module"),
            (r#""trust": "quorum(1)""#.into(), "`trust`: `quorum(1)` has nothing to compare"),
            (
                r#""trust": "credible(0.0001)""#.into(),
                "`trust`: `credible(0.0001)`: with this share of liars assumed, the smallest error",
            ),
            (r#""input": [], "input": []"#.into(), "duplicate field `input`"),
            (r#""code": "00""#.into(), "not both"),
            (r#""prioriti": 1"#.into(), "unknown field `prioriti`, expected one of `queue`, `key`"),
        ] {
            let job = format!("{{{SOURCE}, {fields}}}");
            let refused = |body: &str| asked(body.as_bytes()).err().map(|refusal| refusal.to_string());
            let alone = refused(&job).unwrap_or_default();
            assert!(alone.contains(told), "{fields}: {alone}");
            let second = refused(&format!("[{{{SOURCE}}}, {job}]")).unwrap_or_default();
            assert!(second.contains("job 2: ") && second.contains(told), "{fields}: {second}");
        }
    }

    #[test]
    fn what_is_left_out_is_as_usual() {
        let (jobs, many) = asked(format!("{{{SOURCE}}}").as_bytes()).ok().unwrap();
        let [JobRequest { queue, key: None, needs, attempts: 3, retry_ms: 1000, timeout_ms: 300_000, .. }] =
            &jobs[..]
        else {
            panic!("other defaults")
        };
        assert_eq!((&**queue, *needs, many), ("default", Needs::JAVASCRIPT, false));
    }

    #[test]
    fn a_module_that_compares_is_named_by_its_hash() {
        let module = ContentHash::of(b"module");
        let (jobs, _) = asked(format!(r#"{{{SOURCE}, "agree": "{module}"}}"#).as_bytes()).ok().unwrap();
        assert_eq!(jobs[0].agree, Agree::Module(module));
    }

    #[test]
    fn jobs_are_counted_before_they_are_read() {
        let jobs =
            |count: usize, end: &str| format!(" [{}{end}", vec![format!("{{{SOURCE}}}"); count].join(","));
        let (taken, many) = asked(jobs(MAX_JOBS_AT_ONCE, "]").as_bytes()).ok().unwrap();
        assert_eq!((taken.len(), many), (MAX_JOBS_AT_ONCE, true));
        for (body, what) in [
            (jobs(MAX_JOBS_AT_ONCE + 1, "]"), "one more"),
            (jobs(MAX_JOBS_AT_ONCE + 1, ",???"), "what follows is not read"),
            (format!("[{}]", "[],".repeat(MAX_JOBS_AT_ONCE + 1)), "what they hold is not read"),
        ] {
            assert!(matches!(asked(body.as_bytes()), Err(Refusal::TooManyJobs)), "{what}");
        }
        for (body, told) in [
            ("", "EOF"),
            ("5", "expected struct JobAsked"),
            ("[5]", "job 1: invalid type"),
            ("[{},]", "trailing comma"),
            ("[] []", "trailing characters"),
            ("{", "EOF"),
        ] {
            let refused = asked(body.as_bytes()).err().map(|refusal| refusal.to_string()).unwrap_or_default();
            assert!(refused.contains(told), "{body}: {refused}");
        }
        assert!(matches!(asked(b"\xff"), Err(Refusal::BadJob(_))));
    }
}
