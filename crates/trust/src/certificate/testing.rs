//! A certificate for tests: a pool, its reducer and a job behind it, under any policy; and how to seal what was changed.
//!
//! For this crate, and for others with the feature `testing`.

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::witness::{Engine, Rank};
use weevil_model::{
    Agree, ContentHash, DataType, Encoded, RunId, RunState, Value, canonical, digest, job_seed,
};

use super::{
    AnswerEntry, AnswerFate, Chain, EndLine, Format, HeadLine, Hex, JobLine, Line, LotFacts, LotFate,
    LotLine, Number, PlanEntry, PublicKey, Role, StatedBasis, Writer,
};
use crate::plan::Plan;

/// Signs with the key of the head.
pub type Sign<'a> = &'a dyn Fn(&[u8]) -> [u8; 64];

/// The document of the workflow.
pub const DOCUMENT: &str = r#"<workflow><nodes>
<value id="numbers" value="[0,1,2,3,4,5,6,7,8,9,10,11]" returntype="Array"/>
<pool id="pool" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters>
<processor id="double" src="double" returntype="Number"><parameters><parameter id="a" paramtype="Number"/></parameters></processor>
<reducer id="sum" src="sum" returntype="Number"><parameters><parameter id="a" paramtype="Array"/></parameters></reducer></pool>
<value id="more" value="100" returntype="Number"/>
<job id="last" src="add" returntype="Number"><parameters><parameter id="a" paramtype="Number"/><parameter id="b" paramtype="Number"/></parameters></job>
</nodes><edges><edge source="numbers" dest="pool"/><edge source="pool" dest="last" paramdest="a"/><edge source="more" dest="last" paramdest="b"/></edges>
<finalnode id="last"/></workflow>"#;
/// The other files.
pub const CODES: [(&str, &str); 3] = [
    ("add.js", "function weevil_main(a, b) { return a + b }"),
    ("double.js", "function weevil_main(a) { return 2 * a }"),
    ("sum.js", "function weevil_main(a) { return a.reduce((b, c) => b + c, 0) }"),
];
/// Elements of the pool, those of the first device among them.
const ELEMENTS: u32 = 12;
const OF_FIRST: u32 = 8;
/// The devices whose lots there are, one that computes again, two more for what stands alone.
const FIRST: u64 = 0xa;
const SECOND: u64 = 0xb;
const CHECKER: u64 = 0xc;
const OTHERS: [u64; 2] = [0xd, 0xe];
/// A newcomer that was wrong, and a device that was wrong elsewhere.
const WRONG: u64 = 0x1;
const VOID: u64 = 0x2;
const SEED: u64 = 42;

/// All files of the workflow.
pub fn files() -> Vec<(&'static str, &'static str)> {
    CODES.into_iter().chain([("workflow.xml", DOCUMENT)]).collect()
}

/// The digest of a number.
///
/// # Panics
/// Never: each number has a canonical form.
pub fn number(number: u32) -> ContentHash {
    let value = Encoded::of(&Value::Number(number.into())).and_then(|value| canonical(&value));
    digest(&value.unwrap_or_else(|error| panic!("{number}: {error}")))
}

/// What the run has come to: twice the sum of 0 to 11, and 100.
pub const RESULT: u32 = 232;

/// The lines of a certificate of this run.
///
/// # Panics
/// `policy` is no policy.
pub fn lines(policy: &str, key: PublicKey) -> Vec<Line> {
    let policy = policy.parse().unwrap_or_else(|error| panic!("{error}"));
    let draft = Draft::of(policy);
    let (mut writer, mut text) = Writer::begin(head(policy, key, draft.plan.as_ref()));
    let mut jobs = draft.jobs();
    jobs.sort_by(|one, other| one.path.cmp(&other.path));
    number_networks(&mut jobs);
    for job in jobs {
        text += &writer.job(job);
    }
    for lot in draft.lots() {
        text += &writer.lot(lot);
    }
    text += &writer.end(RunState::Finished, Some(number(RESULT))).signed(Hex([0; 64]));
    read(&text)
}

/// The same lines, counted anew: for a run in which something else has happened.
///
/// # Panics
/// They do not begin with their only head.
pub fn recount(lines: &[Line]) -> Vec<Line> {
    let Some((Line::Head(head), rest)) = lines.split_first() else { panic!("no head") };
    let (mut writer, mut text) = Writer::begin(head.clone());
    for line in rest {
        match line.clone() {
            Line::Head(_) => panic!("two heads"),
            Line::Job(job) => text += &writer.job(job),
            Line::Lot(LotLine { lot, device, node, answers, fate, .. }) => {
                text += &writer.lot(LotFacts { lot, device, node, answers, fate });
            }
            Line::End(end) => {
                text += &writer.end(end.state, end.result).signed(Hex([0; 64]));
                break;
            }
        }
    }
    read(&text)
}

fn read(text: &str) -> Vec<Line> {
    let read = |line: &str| Line::read(line.as_bytes()).unwrap_or_else(|why| panic!("{line}: {why}"));
    text.lines().map(read).collect()
}

/// The file of these lines, whose end has the root that follows from them, signed anew.
pub fn seal(lines: &[Line], sign: Sign<'_>) -> String {
    let (mut chain, mut text) = (Chain::default(), String::new());
    for line in lines {
        let line = match line {
            Line::End(end) => {
                let end = EndLine { root: chain.root(), ..end.clone() };
                Line::End(EndLine { signature: Hex(sign(&end.message())), ..end }).text()
            }
            other => other.text(),
        };
        chain.add(line.as_bytes());
        text += &line;
        text.push('\n');
    }
    text
}

fn head(policy: Policy, key: PublicKey, plan: Option<&Plan>) -> HeadLine {
    let files = files();
    let parts = files.iter().map(|(path, text)| (*path, text.as_bytes()));
    HeadLine {
        format: Format,
        key,
        run: RunId::from_number(7),
        workflow: Some(ContentHash::of_parts(parts)),
        document: Some("workflow.xml".to_owned()),
        seed: Some(Number::of(SEED)),
        inputs: Vec::new(),
        policy: Some(policy),
        assumed: AssumedShare::default(),
        plan: plan.map(PlanEntry::of),
        started: 1_764_000_000_000,
        ended: 1_764_000_060_000,
    }
}

/// In the order in which they are first named.
fn number_networks(jobs: &mut [JobLine]) {
    let mut known: Vec<u32> = Vec::new();
    let named = jobs.iter_mut().flat_map(|job| &mut job.answers).filter_map(|answer| answer.network.as_mut());
    for network in named {
        let place = known.iter().position(|known| known == network).unwrap_or_else(|| {
            known.push(*network);
            known.len() - 1
        });
        *network = u32::try_from(place + 1).unwrap_or(u32::MAX);
    }
}

struct Draft {
    policy: Policy,
    plan: Option<Plan>,
}

impl Draft {
    fn of(policy: Policy) -> Self {
        let plan = match policy {
            Policy::Credible(error) => Plan::new(error, AssumedShare::default()).ok(),
            Policy::None | Policy::Quorum(_) => None,
        };
        Self { policy, plan }
    }

    fn jobs(&self) -> Vec<JobLine> {
        let elements: Vec<ContentHash> = (0..ELEMENTS).map(|index| number(2 * index)).collect();
        let joined = ContentHash::of_joined(elements.iter().map(|element| element.as_bytes().as_slice()));
        let sum = number(ELEMENTS * (ELEMENTS - 1));
        let mut jobs: Vec<JobLine> = (0..ELEMENTS).map(|index| self.element(index)).collect();
        jobs.push(self.alone("numbers/pool/sum", "sum.js", vec![joined], sum));
        jobs.push(self.alone("numbers/pool/last", "add.js", vec![sum, number(100)], number(RESULT)));
        jobs
    }

    fn job(&self, path: &str, source: &str, inputs: Vec<ContentHash>, digest: ContentHash) -> JobLine {
        let code = CODES.iter().find(|(name, _)| *name == source).map_or("", |(_, text)| text);
        JobLine {
            path: path.to_owned(),
            code: ContentHash::of(code.as_bytes()),
            source: source.to_owned(),
            seed: Number::of(job_seed(SEED, path)),
            inputs,
            returns: Some(DataType::Number),
            digest: Some(digest),
            error: None,
            policy: self.policy,
            agree: Agree::Exact,
            proof: None,
            basis: Some(StatedBasis::None),
            doubted: false,
            answers: Vec::new(),
        }
    }

    /// Chance has chosen the first ones of each lot. Before the answers of element 0 a newcomer was wrong, before those of element 1
    /// another device was.
    fn element(&self, index: u32) -> JobLine {
        let (path, digest) = (format!("numbers/pool/{index}/double"), number(2 * index));
        let mut job = self.job(&path, "double.js", vec![number(index)], digest);
        let (device, place, answers) = if index < OF_FIRST {
            (FIRST, index, OF_FIRST)
        } else {
            (SECOND, index - OF_FIRST, ELEMENTS - OF_FIRST)
        };
        let mut said = Vec::new();
        match self.policy {
            Policy::None => return job,
            Policy::Quorum(votes) => {
                job.basis = Some(StatedBasis::Agreed);
                said.extend((index == 0).then(|| newcomer(WRONG, number(99), AnswerFate::Refuted)));
                let votes = [FIRST, SECOND, CHECKER, OTHERS[0], OTHERS[1], 0xf, 0x10]
                    .into_iter()
                    .take(votes.get().into());
                said.extend(votes.map(|device| newcomer(device, digest, AnswerFate::Agreed)));
            }
            Policy::Credible(_) => {
                job.basis = Some(StatedBasis::Lot);
                said.extend((index == 0).then(|| newcomer(WRONG, number(99), AnswerFate::Refuted)));
                said.extend((index == 1).then(|| established(VOID, number(98), AnswerFate::Void)));
                let chosen = self.plan.as_ref().is_some_and(|plan| place < plan.depth(answers).chosen);
                let mine = established(device, digest, AnswerFate::Agreed);
                said.push(AnswerEntry { lot: Some(lot_of(device)), chosen, ..mine });
                said.extend(chosen.then(|| established(CHECKER, digest, AnswerFate::Agreed)));
            }
        }
        job.answers = in_turn(said);
        job
    }

    fn alone(&self, path: &str, source: &str, inputs: Vec<ContentHash>, digest: ContentHash) -> JobLine {
        let mut job = self.job(path, source, inputs, digest);
        let agree = |make: fn(u64, ContentHash, AnswerFate) -> AnswerEntry, many: usize| {
            let devices = [CHECKER, OTHERS[0], OTHERS[1], FIRST, SECOND, 0xf, 0x10].into_iter().take(many);
            in_turn(devices.map(|device| make(device, digest, AnswerFate::Agreed)).collect())
        };
        match self.policy {
            Policy::None => return job,
            Policy::Quorum(votes) => job.answers = agree(newcomer, votes.get().into()),
            Policy::Credible(_) => {
                let many = self.plan.as_ref().map_or(0, Plan::alone);
                job.answers = agree(established, many as usize);
            }
        }
        job.basis = Some(StatedBasis::Agreed);
        job
    }

    fn lots(&self) -> Vec<LotFacts> {
        let lot = |(device, answers)| LotFacts {
            lot: lot_of(device),
            device: Number::of(device),
            node: "numbers/pool".to_owned(),
            answers,
            fate: LotFate::Accepted,
        };
        let lots = [(FIRST, OF_FIRST), (SECOND, ELEMENTS - OF_FIRST)].map(lot).to_vec();
        if self.policy.is_by_lots() { lots } else { Vec::new() }
    }
}

const fn lot_of(device: u64) -> Number {
    Number::of(0x100 + device)
}

fn in_turn(mut answers: Vec<AnswerEntry>) -> Vec<AnswerEntry> {
    for (answer, turn) in answers.iter_mut().zip(0..) {
        answer.role = if turn == 0 { Role::First } else { Role::Check };
        answer.at += 1000 * turn;
    }
    answers
}

/// An answer of this device, which has a network of its own.
pub fn established(device: u64, digest: ContentHash, fate: AnswerFate) -> AnswerEntry {
    AnswerEntry {
        device: Some(Number::of(device)),
        network: u32::try_from(device).ok(),
        engine: Engine::Chromium,
        rank: Rank::Established,
        points: 3,
        role: Role::Check,
        digest: Some(digest),
        error: None,
        at: 1_764_000_001_000,
        lot: None,
        chosen: false,
        fate,
    }
}

/// The same of a device that nobody knows yet.
pub fn newcomer(device: u64, digest: ContentHash, fate: AnswerFate) -> AnswerEntry {
    AnswerEntry { rank: Rank::Newcomer, points: 0, ..established(device, digest, fate) }
}
