//! A judged job in memory: who was asked, what was said, and which answer stands for it, as the reports of the batch have left it so
//! far.
//!
//! Neither reads nor writes: see `answers.rs`; decides nothing: see `judged.rs`.

use std::collections::BTreeSet;

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::Witness;
use weevil_model::{
    Agree, ContentHash, JobId, Needs, ProjectId, RunId, Timestamp, Tolerance, Within, pool_of,
};
use weevil_queue::decide::lane::{Copy, Lane};
use weevil_queue::{Attempt, Copies, Delivery, Proof};
use weevil_records::AnswerFate;
use weevil_trust::{Answer, EnginePair, Groups, Said};

use super::alike::Values;
use super::asked::{Asked, Given};
use super::comparisons::Comparing;

/// Hexadecimal digits of a digest that people are shown.
const SHOWN: usize = 12;

#[derive(Debug)]
pub(crate) struct JudgedJob {
    pub(crate) project: ProjectId,
    /// `None` for one that stands alone.
    pub(crate) run: Option<RunId>,
    pub(crate) path: String,
    /// That of its code and its input.
    pub(crate) fingerprint: i64,
    /// What its answers are compared by, and how they were before.
    pub(crate) comparing: Comparing,
    pub(crate) agree: Agree<ContentHash>,
    /// The module that says whether a value is right.
    pub(crate) proof: Option<ContentHash>,
    pub(crate) within: Option<Within>,
    /// What was said of it, where more than digests is compared.
    pub(crate) values: Values,
    pub(crate) trust: Policy,
    /// `None` where an earlier release has taken it in.
    pub(crate) assumed: Option<AssumedShare>,
    /// It computes an element of a pool.
    pub(crate) in_pool: bool,
    /// As its row was read.
    pub(crate) delivery: Delivery,
    pub(crate) copies: Copies,
    pub(crate) needs: Needs,
    pub(crate) lane: Lane,
    pub(crate) handed_out: u32,
    pub(crate) max_wait_ms: Option<u32>,
    /// Bytes of the value that stands beside it; 0 where there is none.
    pub(crate) stored: u64,
    /// Those that have answered first, in the order in which they did.
    pub(crate) asked: Vec<Asked>,
}

impl JudgedJob {
    pub(crate) fn sort(&mut self) {
        self.asked.sort_by_key(|asked| asked.given.as_ref().map_or(u32::MAX, |given| given.after));
    }

    /// The run and the pool whose lots its answers may stand in; `None` where each is one by itself.
    pub(crate) fn pool(&self) -> Option<(RunId, &str)> {
        self.run.filter(|_| self.in_pool).zip(pool_of(&self.path))
    }

    /// Hand-outs when the newest answer came; 0 where there is none.
    pub(crate) fn answered(&self) -> u32 {
        self.asked.iter().filter_map(|asked| Some(asked.given.as_ref()?.after)).max().unwrap_or_default()
    }

    /// An attempt has answered. Answers the place of the answer; `None` where it was not asked.
    pub(crate) fn take(&mut self, number: u32, said: Said, now: Timestamp) -> Option<usize> {
        let after = self.handed_out;
        let asked = self.asked.iter_mut().find(|asked| asked.number == number)?;
        asked.given = Some(Given { said, at: now, after, fate: None });
        asked.is_changed = true;
        self.sort();
        self.asked.iter().position(|asked| asked.number == number)
    }

    /// All answers, the newest last: in the order in which they came.
    pub(crate) fn answers(&self) -> Vec<Answer> {
        let given = |asked: &Asked| {
            Some(Answer {
                witness: asked.witness,
                rank: asked.rank(),
                points: asked.worth.points,
                said: asked.given.as_ref()?.said.clone(),
                is_proved: asked.proof == Some(Proof::Right),
                is_void: asked.is_void(),
            })
        };
        self.asked.iter().filter_map(given).collect()
    }

    /// How many independent witnesses have failed it: by the attempts of its history that are no answers, and by this one.
    pub(crate) fn witnesses_of(&self, history: &[Attempt], number: u32) -> u32 {
        let failed: BTreeSet<u32> = history.iter().map(|attempt| attempt.number).chain([number]).collect();
        let silent =
            self.asked.iter().filter(|asked| asked.given.is_none() && failed.contains(&asked.number));
        let witnesses: Vec<Witness> = silent.map(|asked| asked.witness).collect();
        u32::try_from(Witness::apart(&witnesses, witnesses.len())).unwrap_or(u32::MAX)
    }

    /// Those that agree, and those that do not.
    pub(crate) fn groups(&self, answers: &[Answer]) -> Groups {
        Groups::of(answers, |one, other| match (&answers[one].said, &answers[other].said) {
            (Said::Value(one), Said::Value(other)) => self.values.are_alike(*one, *other),
            _ => false,
        })
    }

    /// How far numbers of two answers may differ; `None` where nothing here compares them.
    pub(crate) const fn tolerance(&self) -> Option<Tolerance> {
        match self.agree {
            Agree::Near(tolerance) => Some(tolerance),
            Agree::Exact | Agree::Module(_) => None,
        }
    }

    /// Is more compared than digests, so that values are kept until one of them is believed?
    pub(crate) const fn keeps_values(&self) -> bool {
        !self.agree.is_exact() || self.proof.is_some()
    }

    /// Has a module something to say of the next value that nobody has given before?
    pub(crate) fn asks_about_next(&self) -> bool {
        self.proof.is_some() || (matches!(self.agree, Agree::Module(_)) && !self.values.is_empty())
    }

    /// Nothing is decided before a module has said something of an answer that counts.
    pub(crate) fn awaits_module(&self) -> bool {
        let mut counting = self.asked.iter().filter(|asked| !asked.is_void());
        counting.any(|asked| asked.value().is_some_and(|value| self.values.is_asked_about(value)))
    }

    /// Modules have said what they have to say of this value: it holds for each answer that gives it. Answers whether one does.
    pub(crate) fn hear(&mut self, digest: ContentHash, proof: Option<Proof>) -> bool {
        let mut heard = false;
        for asked in self.asked.iter_mut().filter(|asked| asked.value() == Some(digest)) {
            (asked.proof, asked.is_changed, heard) = (proof.or(asked.proof), true, true);
        }
        heard
    }

    /// The places of answers that a proof has found wrong, and nothing has become of yet.
    pub(crate) fn disproved(&self) -> Vec<usize> {
        let wrong: BTreeSet<ContentHash> = self
            .asked
            .iter()
            .filter(|asked| asked.proof == Some(Proof::Wrong))
            .filter_map(Asked::value)
            .collect();
        let is_wrong = |asked: &Asked| asked.value().is_some_and(|value| wrong.contains(&value));
        let places = self.asked.iter().enumerate();
        places.filter(|(_, asked)| is_wrong(asked) && !asked.is_void()).map(|(place, _)| place).collect()
    }

    /// An answer has this value.
    pub(crate) fn has_said(&self, digest: ContentHash) -> bool {
        self.asked.iter().any(|asked| asked.value() == Some(digest))
    }

    /// Who answered first.
    fn first(&self) -> Option<Witness> {
        self.asked.first().filter(|asked| asked.given.is_some()).map(|asked| asked.witness)
    }

    /// The place of the answer that stands for the job.
    pub(crate) fn standing(&self) -> Option<usize> {
        self.asked.iter().position(|asked| asked.standing.is_some() && !asked.is_void())
    }

    /// The lot in which the answer that stands for the job is.
    pub(crate) fn lot(&self) -> Option<i64> {
        self.asked[self.standing()?].standing?.lot
    }

    /// The value beside the job is what this answer says.
    pub(crate) fn keeps_value_of(&self, place: usize) -> bool {
        let value = self.asked.get(place).and_then(Asked::value);
        value.is_some() && self.asked.iter().any(|asked| asked.is_kept && asked.value() == value)
    }

    /// What the answer says, for people; nothing where it says nothing.
    pub(crate) fn told(&self, place: usize) -> String {
        self.asked[place].given.as_ref().map(|given| told(&given.said)).unwrap_or_default()
    }

    pub(crate) fn says_the_same(&self, one: usize, other: usize) -> bool {
        let said = |place: usize| self.asked[place].given.as_ref().map(|given| &given.said);
        said(one) == said(other)
    }

    /// The value of the answer at `place` stands beside the job from now on, if it is at hand or was kept when it came.
    pub(crate) fn keep(&mut self, place: usize, at_hand: Option<usize>) {
        let Some(value) = self.asked[place].value().filter(|_| !self.keeps_value_of(place)) else { return };
        if let Some(at_hand) = at_hand.filter(|at_hand| self.says_the_same(*at_hand, place)) {
            self.values.bring(None);
            self.keep_value_of(at_hand);
        } else if self.values.hold(value) {
            self.values.bring(Some(value));
            self.keep_value_of(place);
        }
    }

    fn keep_value_of(&mut self, place: usize) {
        for (at, asked) in self.asked.iter_mut().enumerate() {
            asked.is_changed |= asked.is_kept != (at == place);
            asked.is_kept = at == place;
        }
    }

    /// The engines of answers that agree, as far as they were compared with the first of them.
    pub(crate) fn compared(&self, members: &[usize]) -> Vec<EnginePair> {
        let Some((first, others)) = members.split_first() else { return Vec::new() };
        let first = self.asked[*first].witness.engine;
        let others = others.iter().map(|place| &self.asked[*place]).filter(|asked| asked.is_confirmed);
        others.map(|asked| EnginePair::new(first, asked.witness.engine)).collect()
    }

    /// The job has ended with what the answer says: each that is not void agrees, or was found wrong.
    pub(crate) fn end(&mut self) {
        for asked in &mut self.asked {
            if asked.given.as_ref().is_some_and(|given| given.fate.is_none()) {
                asked.end_as(AnswerFate::Agreed);
            }
        }
    }

    /// So many devices have to agree on the answer of this number, where it stands for the job. Answers whether a check begins.
    pub(crate) fn look_deeper(&mut self, number: u32, devices: u32, is_chosen: bool) -> bool {
        let asked = self.asked.iter_mut().find(|asked| asked.number == number && !asked.is_void());
        let Some((asked, mut standing)) =
            asked.and_then(|asked| asked.standing.map(|standing| (asked, standing)))
        else {
            return false;
        };
        let is_open = self.delivery != Delivery::Ended;
        let begins = is_open && devices > standing.devices && !standing.is_checking;
        standing.is_chosen = is_chosen;
        standing.devices = standing.devices.max(devices);
        standing.is_checking |= begins;
        asked.is_changed |= asked.standing != Some(standing);
        asked.standing = Some(standing);
        begins
    }

    /// What a device has said counts for nothing any more, nor does what it may still say. Answers whether that changes anything.
    pub(crate) fn void(&mut self, device: i64) -> bool {
        let mut changes = self.weigh_nothing(device);
        for asked in self.asked.iter_mut().filter(|asked| asked.witness.device == Some(device)) {
            if asked.given.as_ref().is_some_and(|given| given.fate.is_none()) {
                asked.end_as(AnswerFate::Void);
                changes = true;
            }
        }
        changes
    }

    /// What a device may still say weighs nothing. Answers whether that changes anything.
    pub(crate) fn weigh_nothing(&mut self, device: i64) -> bool {
        let mut changes = false;
        let theirs = |asked: &&mut Asked| asked.witness.device == Some(device) && asked.given.is_none();
        for asked in self.asked.iter_mut().filter(theirs).filter(|asked| asked.worth.points > 0) {
            (asked.worth.points, asked.is_changed, changes) = (0, true, true);
        }
        changes
    }

    /// The lot by which what these devices say was believed; `None` where nothing but their mark stood for it.
    pub(crate) fn believed_in(&self, devices: &BTreeSet<i64>) -> Option<i64> {
        let theirs =
            self.asked.iter().filter(|asked| asked.witness.device.is_some_and(|it| devices.contains(&it)));
        theirs.into_iter().find_map(|asked| asked.standing?.lot)
    }

    /// The job goes on as if these devices had never said anything: what was believed is not decided about any more. What only a
    /// comparison of values could tell is not kept, so such answers are asked for anew.
    pub(crate) fn revoke(&mut self, devices: &BTreeSet<i64>) {
        let left = (!self.agree.is_exact()).then_some(AnswerFate::Stale);
        for asked in &mut self.asked {
            let is_theirs = asked.witness.device.is_some_and(|device| devices.contains(&device));
            let Some(given) = asked.given.as_mut().filter(|given| given.fate == Some(AnswerFate::Agreed))
            else {
                continue;
            };
            given.fate = if is_theirs { Some(AnswerFate::Void) } else { left };
            asked.is_changed = true;
        }
    }

    pub(crate) fn has_changed(&self) -> bool {
        self.asked.iter().any(|asked| asked.is_changed)
    }

    /// The line where the next copy waits, and what it needs, where that is something else now.
    pub(crate) fn moves(&self) -> Option<(Lane, Needs)> {
        let counting = self.asked.iter().find(|asked| asked.given.is_some() && !asked.is_void());
        let copy = match self.trust {
            _ if counting.is_none() => Copy::Anew,
            Policy::Credible(_) => Copy::Check,
            Policy::Quorum(_) | Policy::None => Copy::Vote,
        };
        let needs = match self.within {
            Some(Within::Engine) => self.needs.only_by(counting.map(|asked| asked.witness.engine)),
            None => self.needs,
        };
        Some((Lane::of_copies(&self.first()?, copy), needs)).filter(|line| *line != (self.lane, self.needs))
    }
}

/// A value by the beginning of its digest, or the kind of an error.
pub(crate) fn told(said: &Said) -> String {
    match said {
        Said::Value(digest) => format!("value {}", &digest.to_string()[..SHOWN]),
        Said::Error(kind) => format!("error {kind}"),
    }
}

/// Those whose answers may stand for these jobs, each with the run of the job.
pub(crate) fn devices<'j>(
    jobs: impl IntoIterator<Item = (&'j JobId, &'j JudgedJob)>,
) -> BTreeSet<(i64, i64)> {
    let of = |(_, job): (&JobId, &'j JudgedJob)| {
        let run = job.run.filter(|_| job.trust.is_by_lots());
        let devices =
            job.asked.iter().filter(|asked| asked.worth.points > 0).filter_map(|asked| asked.witness.device);
        run.into_iter().flat_map(move |run| devices.clone().map(move |device| (run.number(), device)))
    };
    jobs.into_iter().flat_map(of).collect()
}

/// Their codes.
pub(crate) fn codes<'j>(
    jobs: impl IntoIterator<Item = (&'j JobId, &'j JudgedJob)>,
) -> impl Iterator<Item = ContentHash> {
    jobs.into_iter().map(|(_, job)| job.comparing.code)
}
