//! Whether what is believed of a job follows from its own answers, by the rules that the server judges by.
//!
//! Knows one line. What lots make of it is in `lots.rs`.

use weevil_model::trust::Policy;
use weevil_model::witness::{Rank, Witness};
use weevil_model::{Agree, job_seed, pool_of};

use super::flaw::{Flaw, or_nothing};
use super::lines::{AnswerEntry, AnswerFate, HeadLine, JobLine, Role, StatedBasis};
use super::ruled;
use super::word::Number;
use crate::groups::{Answer, Said};
use crate::plan::Plan;
use crate::points::{OpenFleet, points};

/// Answers of one job at most: each comes out of an attempt.
const MAX_ANSWERS: usize = weevil_model::limits::MAX_ATTEMPTS as usize;

/// Answers how many devices are behind what is believed, where it is by a lot; 0 elsewhere. `networks`: the largest number of a
/// network that was named before.
pub(super) fn check(
    job: &JobLine,
    head: &HeadLine,
    plan: Option<&Plan>,
    networks: &mut u32,
) -> Result<u32, Flaw> {
    promised(job, head)?;
    let most = format!("at most {MAX_ANSWERS}");
    Flaw::unless(job.answers.len() <= MAX_ANSWERS, "answers of a job", most, job.answers.len())?;
    for (place, answer) in job.answers.iter().enumerate() {
        entry(job, place, answer)?;
        let expected = format!("at most {}, the next that is new", networks.saturating_add(1));
        let network = answer.network.unwrap_or(1);
        let is_next = (1..=networks.saturating_add(1)).contains(&network);
        Flaw::unless(is_next, nth("the network", place), expected, network)?;
        *networks = (*networks).max(answer.network.unwrap_or_default());
    }
    independent(job)?;
    outcome(job)?;
    match job.basis {
        None | Some(StatedBasis::None | StatedBasis::Reused) => Ok(0),
        Some(basis) => ruled::check(job, basis, plan),
    }
}

pub(super) fn nth(what: &str, place: usize) -> String {
    format!("{what} of answer {}", place + 1)
}

/// What a run promises of all its jobs.
fn promised(job: &JobLine, head: &HeadLine) -> Result<(), Flaw> {
    let from = head.seed.map_or_else(|| job.code.seed(), Number::get);
    Flaw::same("the seed", Number::of(job_seed(from, &job.path)), job.seed)?;
    if let Some(policy) = head.policy {
        Flaw::same("the policy", policy, job.policy)?;
    }
    Ok(())
}

fn entry(job: &JobLine, place: usize, answer: &AnswerEntry) -> Result<(), Flaw> {
    let AnswerEntry { rank, points: weight, role, .. } = *answer;
    let either = answer.digest.is_some() != answer.error.is_some();
    let both = format!("{} and {}", or_nothing(answer.digest), or_nothing(answer.error.as_ref()));
    Flaw::unless(either, nth("what is said", place), "a digest or an error", both)?;
    let (settled, opening) = (points(rank, OpenFleet(false)), points(rank, OpenFleet(true)));
    let weights =
        if settled == opening { format!("0 or {settled}") } else { format!("{settled} or {opening}") };
    let is_one = [0, settled, opening].contains(&weight);
    Flaw::unless(is_one, nth(&format!("the points ({})", rank.as_str()), place), weights, weight)?;
    let expected = if place == 0 { Role::First } else { Role::Check };
    let is_server = role == Role::Referee;
    Flaw::unless(is_server || role == expected, nth("the role", place), word(&expected), word(&role))?;
    let is_nobody = answer.device.is_none() && answer.network.is_none() && rank == Rank::Trusted;
    let server = "that of the server, trusted and without device and network";
    Flaw::unless(!is_server || is_nobody, nth("the witness", place), server, or_nothing(answer.device))?;
    lot(job, place, answer)
}

/// Only answers of established devices stand in lots, for elements of pools, by a credible policy.
fn lot(job: &JobLine, place: usize, answer: &AnswerEntry) -> Result<(), Flaw> {
    if answer.lot.is_none() {
        return Flaw::unless(!answer.chosen, nth("the lot", place), "one, since it is chosen", "nothing");
    }
    let stands = answer.device.is_some() && answer.rank == Rank::Established && answer.points > 0;
    let who = format!("{} with {} points", answer.rank.as_str(), answer.points);
    Flaw::unless(stands, nth("who is in a lot", place), "an established device with points", who)?;
    let is_by_lots = job.policy.is_by_lots() && pool_of(&job.path).is_some();
    Flaw::unless(is_by_lots, "what is in a lot", "an element of a pool under a credible policy", job.policy)
}

/// No two answers to one input come from one device or one network. The server is nobody else.
fn independent(job: &JobLine) -> Result<(), Flaw> {
    let counts = |answer: &AnswerEntry| answer.role != Role::Referee && answer.fate != AnswerFate::Stale;
    let strangers = || job.answers.iter().enumerate().filter(|(_, answer)| counts(answer));
    for (place, answer) in strangers() {
        for (earlier, other) in strangers().take_while(|(earlier, _)| *earlier < place) {
            if witness(answer).is_independent_of(&witness(other)) {
                continue;
            }
            let shared = match (answer.device, answer.network) {
                (Some(device), _) if other.device == Some(device) => format!("device {device}"),
                (_, Some(network)) if other.network == Some(network) => format!("network {network}"),
                _ => "nothing to tell them apart by".to_owned(),
            };
            let what = format!("the witnesses of answers {} and {}", earlier + 1, place + 1);
            return Err(Flaw::new(what, "two that are independent", format!("{shared} in both")));
        }
    }
    Ok(())
}

/// What is believed, and the fates of answers, fit the basis.
fn outcome(job: &JobLine) -> Result<(), Flaw> {
    let said = (job.digest.is_some(), job.error.is_some());
    let found = format!("{} and {}", or_nothing(job.digest), or_nothing(job.error.as_ref()));
    let fits = match job.basis {
        None => !said.0,
        Some(StatedBasis::Reused) => said == (true, false),
        Some(_) => said.0 != said.1,
    };
    let expected = match job.basis {
        None => "no digest without a basis",
        Some(StatedBasis::Reused) => "the digest of a value",
        Some(_) => "a digest or an error",
    };
    Flaw::unless(fits, "what is believed", expected, found)?;
    let is_judged = job.policy.is_judged();
    let basis = or_nothing(job.basis.as_ref().map(word));
    let fits = match job.basis {
        None | Some(StatedBasis::Reused) => true,
        Some(basis) => is_judged != (basis == StatedBasis::None),
    };
    Flaw::unless(fits, "the basis", format!("one of the policy {}", job.policy), basis)?;
    let has_answers = is_judged && job.basis != Some(StatedBasis::Reused);
    let found = job.answers.len();
    Flaw::unless(has_answers || found == 0, "answers of a job that nobody judges", 0, found)?;
    job.answers.iter().enumerate().try_for_each(|(place, answer)| fate(job, place, answer))
}

fn fate(job: &JobLine, place: usize, answer: &AnswerEntry) -> Result<(), Flaw> {
    let (expected, fits) = match job.basis {
        None => ("another one, since nothing is believed", answer.fate != AnswerFate::Agreed),
        Some(_) => ("another one, since something is believed", answer.fate != AnswerFate::Open),
    };
    Flaw::unless(fits, nth("the fate", place), expected, word(&answer.fate))?;
    if answer.fate != AnswerFate::Agreed || job.agree != Agree::Exact {
        return Ok(());
    }
    let (believed, said) =
        (said(job.digest, job.error.as_deref()), said(answer.digest, answer.error.as_deref()));
    Flaw::same(nth("what has agreed", place), believed, said)
}

fn said(digest: Option<weevil_model::ContentHash>, error: Option<&str>) -> String {
    digest.map_or_else(|| format!("the error {}", or_nothing(error)), |digest| digest.to_string())
}

/// The word of a line for one of its enums.
pub(super) fn word(word: &impl serde::Serialize) -> String {
    serde_json::to_string(word).unwrap_or_default().trim_matches('"').to_owned()
}

fn witness(answer: &AnswerEntry) -> Witness {
    Witness {
        device: answer.device.map(|device| device.get().cast_signed()),
        network: answer.network.map(i64::from),

        engine: answer.engine,
    }
}

/// The answers as the rules know them; `counts` says which of them are not void.
pub(super) fn answers(job: &JobLine, counts: impl Fn(AnswerFate) -> bool) -> Vec<Answer> {
    let answer = |entry: &AnswerEntry| Answer {
        witness: witness(entry),
        rank: if entry.points == 0 { Rank::Newcomer } else { entry.rank },
        points: entry.points,
        said: match (entry.digest, &entry.error) {
            (Some(digest), _) => Said::Value(digest),
            (None, error) => Said::Error(error.clone().unwrap_or_default()),
        },
        is_proved: false,
        is_void: !counts(entry.fate),
    };
    job.answers.iter().map(answer).collect()
}

/// Nobody judges under `none`; a credible policy for which no plan is enough takes as many that agree as may be asked for.
pub(super) const fn is_quorum(policy: Policy, plan: Option<&Plan>) -> bool {
    matches!(policy, Policy::Quorum(_)) || plan.is_none()
}
