//! Jobs of a certificate that are computed again here: modules alone, which are the same on every machine.
//!
//! Whose turn it is chance says, of all jobs alike; the server that is asked for code and input is believed nothing: both have to be
//! what the certificate says.

use std::collections::HashMap;

use ring::rand::{SecureRandom, SystemRandom};
use weevil_client::{JobFilter, Server};
use weevil_model::{ContentHash, Encoded, RunId, canonical, digest};
use weevil_referee::{Bounds, Outcome, run};
use weevil_trust::certificate::{Broken, Flaw, JobLine};

/// The end of the path of a module.
const MODULE: &str = ".wasm";

/// Some of the jobs of a certificate, drawn while its lines go by.
#[derive(Debug)]
pub(super) struct Draw {
    chance: [u8; 32],
    most: usize,
    seen: u64,
    drawn: Vec<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    line: u64,
    path: String,
    code: ContentHash,
    inputs: Vec<ContentHash>,
    value: ContentHash,
}

/// How many were computed again, of how many; and why some were not.
#[derive(Debug, Default)]
pub(super) struct Recomputed {
    pub(super) done: usize,
    pub(super) of: u64,
    pub(super) undone: Vec<String>,
}

impl Draw {
    /// # Errors
    /// In words for people: this machine has no chance to give.
    pub(super) fn new(most: usize) -> Result<Self, String> {
        let mut chance = [0; 32];
        let filled = SystemRandom::new().fill(&mut chance);
        filled.map_err(|_| "this machine gives no random bytes".to_owned())?;
        Ok(Self { chance, most, seen: 0, drawn: Vec::new() })
    }

    /// Each job stays with the same chance, however many come.
    pub(super) fn see(&mut self, line: u64, job: &JobLine) {
        let Some(value) = job.digest.filter(|_| job.source.ends_with(MODULE)) else { return };
        self.seen += 1;
        let (path, code, inputs) = (job.path.clone(), job.code, job.inputs.clone());
        let drawn = Drawn { line, path, code, inputs, value };
        if self.drawn.len() < self.most {
            return self.drawn.push(drawn);
        }
        if let Some(earlier) = self.place().and_then(|place| self.drawn.get_mut(place)) {
            *earlier = drawn;
        }
    }

    /// One of as many places as were seen.
    fn place(&self) -> Option<usize> {
        let parts = [("chance", self.chance.as_slice()), ("job", &self.seen.to_le_bytes())];
        usize::try_from(ContentHash::of_parts(parts).seed() % self.seen).ok()
    }

    /// Computes them. The outer error: the server cannot be asked.
    pub(super) fn compute(self, server: &Server, run: RunId) -> Result<Result<Recomputed, Broken>, String> {
        let mut found = Recomputed { of: self.seen, ..Recomputed::default() };
        let ids = ids(server, run, &self.drawn)?;
        for drawn in &self.drawn {
            let id =
                ids.get(&drawn.path).ok_or_else(|| format!("the server knows no job `{}`", drawn.path))?;
            match again(server, id, drawn)? {
                Ok(None) => found.done += 1,
                Ok(Some(why)) => found.undone.push(format!("`{}`: {why}", drawn.path)),
                Err(flaw) => {
                    let what = format!("`{}`, {}", drawn.path, flaw.what);
                    return Ok(Err(Flaw { what, ..flaw }.at(drawn.line)));
                }
            }
        }
        Ok(Ok(found))
    }
}

/// The ids of these jobs of a run, by their paths.
fn ids(server: &Server, run: RunId, drawn: &[Drawn]) -> Result<HashMap<String, String>, String> {
    let (mut ids, mut after) = (HashMap::new(), None);
    while ids.len() < drawn.len() {
        let page = server.run_jobs(&run, &JobFilter::default(), after.as_deref())?;
        let wanted = |path: &str| drawn.iter().any(|drawn| drawn.path == path);
        ids.extend(page.jobs.into_iter().filter(|job| wanted(&job.path)).map(|job| (job.path, job.id)));
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    Ok(ids)
}

/// Why it could not be computed; nothing where it came to the same.
fn again(server: &Server, id: &str, drawn: &Drawn) -> Result<Result<Option<String>, Flaw>, String> {
    let (module, input) = (server.code(&drawn.code)?, server.job_input(&id)?);
    let compared = || {
        Flaw::same("the code that the server has", drawn.code, ContentHash::of(&module))?;
        let unreadable = |why: String| Flaw::new("the arguments that the server has", "values", why);
        let input = Encoded::checked(&input).map_err(|error| unreadable(error.to_string()))?;
        let arguments = input.elements().map_err(|error| unreadable(error.to_string()))?;
        let digests: Result<Vec<ContentHash>, _> =
            arguments.map(|argument| canonical(&argument).map(|form| digest(&form))).collect();
        let digests = digests.map_err(|error| unreadable(error.to_string()))?;
        Flaw::same("the arguments that the server has", joined(&drawn.inputs), joined(&digests))?;
        match run(&module, &input, &Bounds::JOB) {
            Outcome::Value(_, value) => {
                Flaw::same("the value as it was computed again", value, drawn.value).map(|()| None)
            }
            Outcome::CannotSay(why) => Ok(Some(why.to_string())),
        }
    };
    Ok(compared())
}

fn joined(digests: &[ContentHash]) -> String {
    digests.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use weevil_trust::certificate::testing::lines;
    use weevil_trust::certificate::{Hex, Line};

    use super::*;

    /// The jobs of a certificate, which run this file.
    fn jobs(source: &str) -> Vec<JobLine> {
        let job = |line| if let Line::Job(job) = line { Some(job) } else { None };
        let jobs = lines("credible(0.01)", Hex([7; 32])).into_iter().filter_map(job);
        jobs.map(|job| JobLine { source: source.to_owned(), ..job }).collect()
    }

    fn drawn(most: usize, jobs: &[JobLine]) -> (u64, BTreeSet<String>) {
        let mut draw = Draw::new(most).unwrap();
        jobs.iter().zip(2..).for_each(|(job, line)| draw.see(line, job));
        (draw.seen, draw.drawn.into_iter().map(|drawn| drawn.path).collect())
    }

    #[test]
    fn so_many_modules_are_drawn_and_nothing_else() {
        let modules = jobs("f.wasm");
        let valueless: Vec<JobLine> =
            modules.iter().cloned().map(|job| JobLine { digest: None, ..job }).collect();
        for (jobs, most, of, expected) in [
            (&modules, 3, modules.len(), 3),
            (&modules, 99, modules.len(), modules.len()),
            (&jobs("f.js"), 3, 0, 0),
            (&valueless, 3, 0, 0),
        ] {
            let (seen, paths) = drawn(most, jobs);
            assert_eq!((seen, paths.len()), (of as u64, expected), "{most}");
        }
    }

    #[test]
    fn each_job_is_drawn_sooner_or_later() {
        let modules = jobs("f.wasm");
        let mut met = BTreeSet::new();
        while met.len() < modules.len() {
            met.extend(drawn(1, &modules).1);
        }
    }
}
