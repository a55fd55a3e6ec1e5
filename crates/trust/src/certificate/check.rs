//! The checker: is told a certificate line by line, and says which line does not hold, and why.
//!
//! Holds one line, a few numbers for each lot, and the plans; the number of jobs does not matter. Signatures are for its caller to
//! verify, see [`Sealed::prove`].

use weevil_model::{Agree, RunState, pool_of};

use super::chain::Chain;
use super::flaw::{Broken, Flaw, or_nothing};
use super::lines::{Believed, Counts, EndLine, HeadLine, JobLine, Line, LotLine, PlanEntry};
use super::plans::Plans;
use super::sum::Sum;
use super::tally::Tallies;
use super::word::Number;
use super::{job, lots};

/// The bound is computed here again; another machine may round its last digits otherwise.
const SAME_BOUND: f64 = 1e-9;

/// A certificate that is being read.
#[derive(Debug, Default)]
pub struct Checker {
    /// Lines so far.
    lines: u64,
    chain: Chain,
    stage: Stage,
}

#[derive(Debug, Default)]
enum Stage {
    #[default]
    Head,
    Body(Box<Body>),
    Ended(Box<(Body, EndLine)>),
}

/// What is known of the lines so far.
#[derive(Debug)]
struct Body {
    head: HeadLine,
    plans: Plans,
    sum: Sum,
    tallies: Tallies,
    networks: u32,
    path: Option<String>,
    lot: Option<Number>,
    near: u64,
    valueless: u64,
}

/// A certificate that holds but for its signature.
#[derive(Debug)]
pub struct Sealed {
    summary: Summary,
}

/// What a certificate that holds tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    pub head: HeadLine,
    pub end: EndLine,
    pub lines: u64,
    /// Jobs whose answers are compared otherwise than by their digests.
    pub near: u64,
    /// Jobs in which no value is believed.
    pub valueless: u64,
}

impl Checker {
    /// The next line, without its end. Answers what it says.
    ///
    /// # Errors
    /// It is no line, or does not follow from those before. Nothing that comes after it is worth checking.
    pub fn line(&mut self, text: &[u8]) -> Result<Line, Broken> {
        self.lines += 1;
        let number = self.lines;
        self.read(text).map_err(|flaw| flaw.at(number))
    }

    fn read(&mut self, text: &[u8]) -> Result<Line, Flaw> {
        let line = Line::read(text).map_err(|why| Flaw::new("the line", self.stage.wanted(), why))?;
        let wanted = self.stage.wanted();
        self.stage = match (std::mem::take(&mut self.stage), &line) {
            (Stage::Head, Line::Head(head)) => Stage::Body(Box::new(Body::begin(head)?)),
            (Stage::Body(mut body), Line::Job(job)) => {
                body.job(self.lines, job)?;
                Stage::Body(body)
            }
            (Stage::Body(mut body), Line::Lot(lot)) => {
                body.lot(lot)?;
                Stage::Body(body)
            }
            (Stage::Body(body), Line::End(end)) => {
                body.end(end)?;
                Flaw::same("the root", self.chain.root(), end.root)?;
                Stage::Ended(Box::new((*body, end.clone())))
            }
            (_, line) => return Err(Flaw::new("the line", wanted, line.kind())),
        };
        self.chain.add(text);
        Ok(line)
    }

    /// There is no further line.
    ///
    /// # Errors
    /// The last one was not an end.
    pub fn finish(self) -> Result<Sealed, Broken> {
        let lines = self.lines;
        let wanted = self.stage.wanted();
        let Stage::Ended(ended) = self.stage else {
            return Err(Flaw::new("the line", wanted, "the end of the file").at(lines + 1));
        };
        let (Body { head, near, valueless, .. }, end) = *ended;
        Ok(Sealed { summary: Summary { head, end, lines, near, valueless } })
    }
}

impl Sealed {
    /// `verify` gets the key, what is signed, and the signature (Ed25519).
    ///
    /// # Errors
    /// The key of the head has not signed this.
    pub fn prove(self, verify: impl FnOnce(&[u8; 32], &[u8], &[u8; 64]) -> bool) -> Result<Summary, Broken> {
        let Summary { head, end, lines, .. } = &self.summary;
        let is_signed = verify(&head.key.0, &end.message(), &end.signature.0);
        let expected = format!("one by the key {}", head.key);
        Flaw::unless(is_signed, "the signature", expected, end.signature).map_err(|flaw| flaw.at(*lines))?;
        Ok(self.summary)
    }
}

impl Stage {
    const fn wanted(&self) -> &'static str {
        match self {
            Self::Head => "a head",
            Self::Body(_) => "a job, a lot or the end",
            Self::Ended(..) => "no line after the end",
        }
    }
}

impl Line {
    const fn kind(&self) -> &'static str {
        match self {
            Self::Head(_) => "a head",
            Self::Job(_) => "a job",
            Self::Lot(_) => "a lot",
            Self::End(_) => "an end",
        }
    }
}

impl Body {
    fn begin(head: &HeadLine) -> Result<Self, Flaw> {
        let is_run = head.run.is_some();
        let parts = [head.workflow.is_some(), head.document.is_some(), head.seed.is_some()];
        let is_whole = parts.iter().all(|part| *part == is_run) && (is_run || head.inputs.is_empty());
        let expected = "run, workflow, document and seed together";
        Flaw::unless(is_whole, "what was run", expected, or_nothing(head.run))?;
        if let Some(pair) = head.inputs.windows(2).find(|pair| pair[0].node >= pair[1].node) {
            let expected = format!("a node after `{}`", pair[0].node);
            return Err(Flaw::new("the inputs", expected, format!("`{}`", pair[1].node)));
        }
        let mut plans = Plans::new(head.assumed);
        let plan = head.policy.and_then(|policy| plans.of(policy)).map(|plan| PlanEntry::of(&plan));
        let shown = |plan: Option<PlanEntry>| or_nothing(plan.as_ref().map(job::word));
        Flaw::same("the plan", shown(plan), shown(head.plan))?;
        let (sum, tallies) = (Sum::default(), Tallies::default());
        let head = head.clone();
        Ok(Self { head, plans, sum, tallies, networks: 0, path: None, lot: None, near: 0, valueless: 0 })
    }

    fn job(&mut self, line: u64, job: &JobLine) -> Result<(), Flaw> {
        Flaw::unless(self.lot.is_none(), "the line", "a lot or the end", "a job")?;
        let is_alone = self.head.run.is_none() && self.path.is_some();
        Flaw::unless(!is_alone, "the line", "the end, since the job stands alone", "a job")?;
        if let Some(before) = self.path.as_deref().filter(|before| *before >= &*job.path) {
            let expected = format!("one after `{before}`");
            return Err(Flaw::new("the path", expected, format!("`{}`", job.path)));
        }
        let about = |flaw: Flaw| Flaw { what: format!("`{}`, {}", job.path, flaw.what), ..flaw };
        let plan = self.plans.of(job.policy);
        let devices = job::check(job, &self.head, plan.as_deref(), &mut self.networks).map_err(about)?;
        self.tallies.enter(line, job, devices);
        self.same_lot(job).map_err(about)?;
        self.sum.job(job, plan.as_deref());
        self.near += u64::from(job.policy.is_judged() && job.agree != Agree::Exact);
        self.valueless += u64::from(job.digest.is_none());
        self.path = Some(job.path.clone());
        Ok(())
    }

    /// All answers of a lot are those of one device for one pool.
    fn same_lot(&self, job: &JobLine) -> Result<(), Flaw> {
        for answer in &job.answers {
            let Some((lot, tally)) = answer.lot.and_then(|lot| Some((lot, self.tallies.get(lot)?))) else {
                continue;
            };
            let found = (answer.device, pool_of(&job.path), job.policy);
            let expected = format!("device {}, `{}`, {}", tally.device, tally.node, tally.policy);
            let fits = found == (Some(tally.device), Some(&*tally.node), tally.policy);
            let (device, node) = (or_nothing(found.0), or_nothing(found.1));
            Flaw::unless(
                fits,
                format!("lot {lot}"),
                expected,
                format!("device {device}, `{node}`, {}", job.policy),
            )?;
        }
        Ok(())
    }

    fn lot(&mut self, lot: &LotLine) -> Result<(), Flaw> {
        let about = |flaw: Flaw| Flaw { what: format!("lot {}, {}", lot.lot, flaw.what), ..flaw };
        if let Some(before) = self.lot.filter(|before| *before >= lot.lot) {
            return Err(Flaw::new("the number of the lot", format!("one after {before}"), lot.lot));
        }
        self.lot = Some(lot.lot);
        let Some(tally) = self.tallies.take(lot.lot) else {
            return Err(Flaw::new("the lot", "one that an answer is in", lot.lot));
        };
        let plan = self.plans.of(tally.policy);
        lots::check(lot, &tally, plan.as_deref()).map_err(about)?;
        self.sum.lot(lot, plan.as_deref());
        Ok(())
    }

    fn end(&self, end: &EndLine) -> Result<(), Flaw> {
        if let Some(lot) = self.tallies.left() {
            return Err(Flaw::new("the line", format!("lot {lot}"), "an end"));
        }
        let is_over = end.state != RunState::Started;
        Flaw::unless(is_over, "the state", "that of a run that has ended", end.state)?;
        let has_finished = end.state == RunState::Finished;
        let expected = if has_finished { "a digest" } else { "nothing" };
        Flaw::unless(end.result.is_some() == has_finished, "the result", expected, or_nothing(end.result))?;
        if self.head.run.is_none() {
            let jobs = self.sum.counts.jobs;
            Flaw::unless(jobs == 1, "jobs that stand alone", 1, jobs)?;
        }
        counted(&self.sum.counts, &end.counts)?;
        let (bound, told) = (self.sum.bound(), end.bound);
        let is_same = match (bound, told) {
            (Some(bound), Some(told)) => (bound - told).abs() <= SAME_BOUND * bound,
            (bound, told) => bound == told,
        };
        Flaw::unless(is_same, "the bound", or_nothing(bound), or_nothing(told))
    }
}

fn counted(expected: &Counts, found: &Counts) -> Result<(), Flaw> {
    let rows = |counts: &Counts| {
        let Counts { jobs, answers, refuted, void, doubted, lots, believed } = *counts;
        let Believed { none, reused, trusted, referee, proved, agreed, lot } = believed;
        [
            ("jobs", jobs),
            ("answers", answers),
            ("refuted answers", refuted),
            ("void answers", void),
            ("doubted jobs", doubted),
            ("lots", lots),
            ("values that nobody judges", none),
            ("values taken over", reused),
            ("values of trusted devices", trusted),
            ("values of the server", referee),
            ("values that were proved", proved),
            ("values that devices agree on", agreed),
            ("values by lots", lot),
        ]
    };
    let pairs = rows(expected).into_iter().zip(rows(found));
    pairs.into_iter().try_for_each(|((what, expected), (_, found))| Flaw::same(what, expected, found))
}
