//! One play: devices ask, compute and leave until every job is decided. What a liar says is decided here.

use weevil_model::witness::Rank;
use weevil_trust::Taker;

use crate::certify::certify;
use crate::dice::Dice;
use crate::figures::Figures;
use crate::fleet::Fleet;
use crate::job::State;
use crate::ledger::Ledger;
use crate::setting::{Kind, Off, Setting};

/// After so many devices in a row that find nothing to do one goes, since it may be that nobody who is here may do what is left.
const IDLE: u32 = 1000;
/// The play is stuck.
const STUCK: u32 = 1_000_000;

/// Plays by the rules of `weevil-trust`, with one of them left out where the setting says so.
///
/// # Panics
/// Nobody can take what is left, or the setting has no plan.
pub fn play(setting: &Setting) -> Figures {
    play_out(setting).0.end()
}

/// The same, with the certificate that a server would write: its lines, without a signature.
///
/// # Panics
/// Like [`play`].
pub fn play_certified(setting: &Setting) -> (Figures, String) {
    let (mut ledger, fleet) = play_out(setting);
    let figures = ledger.end();
    let text = certify(&ledger, &fleet);
    (figures, text)
}

fn play_out(setting: &Setting) -> (Ledger<'_>, Fleet<'_>) {
    let mut dice = Dice::new(setting.seed);
    let mut fleet = Fleet::new(setting, &mut dice);
    let mut ledger = Ledger::new(setting);
    let (mut idle, mut open) = (0, ledger.jobs.len());
    while open > 0 {
        let (place, device) = fleet.any(&mut dice);
        if let Some(gone) = fleet.leave(place, &mut dice) {
            for lot in ledger.lots.open(Some(gone)) {
                ledger.close(lot, &mut dice);
            }
            ledger.work_off(&mut fleet, &mut dice);
            continue;
        }
        let Some(job) = take(&mut ledger, &fleet, device) else {
            idle += 1;
            assert!(idle < STUCK, "{} jobs are left that nobody takes", ledger.open());
            if idle.is_multiple_of(IDLE) {
                open = ledger.open();
                fleet.go(place);
            }
            continue;
        };
        idle = 0;
        turn(&mut ledger, &mut fleet, (job, device), &mut dice);
        fleet.answered(place);
        close_what_is_out(&mut ledger, &mut fleet, &mut dice);
    }
    (ledger, fleet)
}

/// A copy before a first one; what this device has answered is not for it.
fn take(ledger: &mut Ledger<'_>, fleet: &Fleet<'_>, device: usize) -> Option<usize> {
    let is_known = fleet.rank(device) != Rank::Newcomer || fleet.opens().0;
    let jobs = &ledger.jobs;
    let is_new = |job: usize| jobs[job].given.iter().all(|given| given.device != device);
    ledger.copies.retain(|job| matches!(jobs[*job].state, State::Copy(_)));
    let may = |job: &usize| is_new(*job) && (is_known || jobs[*job].state == State::Copy(Taker::Anybody));
    let job = match ledger.copies.iter().position(may) {
        Some(at) => ledger.copies.remove(at),
        None if !has_room(ledger, fleet, device) => None,
        None => ledger.first.iter_mut().find_map(|first| {
            let at = first.iter().position(|job| is_new(*job))?;
            first.remove(at)
        }),
    }?;
    ledger.jobs[job].state = State::Waiting;
    Some(job)
}

/// Whether one more answer of it may wait for being compared.
fn has_room(ledger: &Ledger<'_>, fleet: &Fleet<'_>, device: usize) -> bool {
    match fleet.waiting_answers(device) {
        u32::MAX => true,
        most => ledger.waiting_of(device) < most as usize,
    }
}

/// The device answers; where copies go out together, somebody else does at once, too.
fn turn(ledger: &mut Ledger<'_>, fleet: &mut Fleet<'_>, (job, device): (usize, usize), dice: &mut Dice) {
    let is_first = ledger.jobs[job].answers.is_empty();
    let chosen = is_first && dice.happens(share_that_is_checked(ledger));
    let mut beside = None;
    match ledger.setting.off {
        Some(Off::LateChoice) if is_first => ledger.jobs[job].known_choice = Some(chosen),
        Some(Off::OneAfterTheOther) if is_first => {
            ledger.jobs[job].known_choice = Some(chosen);
            let (_, other) = fleet.any(dice);
            let fits = other != device && fleet.rank(other) != Rank::Newcomer;
            beside = Some(other).filter(|_| chosen && fits);
        }
        _ => {}
    }
    let lies = fleet.devices[device].lies && says_a_lie(ledger, fleet, (job, device), beside, dice);
    fleet.devices[device].has_lied |= lies;
    ledger.answer((job, device), lies, fleet, dice);
    if let (Some(other), State::Copy(_)) = (beside, ledger.jobs[job].state) {
        ledger.jobs[job].state = State::Waiting;
        let lies = ledger.jobs[job].lie && fleet.devices[other].lies;
        ledger.answer((job, other), lies, fleet, dice);
    }
}

/// What a lot of the usual size has checked.
fn share_that_is_checked(ledger: &Ledger<'_>) -> f64 {
    let usual = ledger.jobs.len() as f64 / ledger.setting.devices as f64;
    let usual = usual.min(ledger.setting.life).min(ledger.plan.lot().into());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is clamped before")]
    let usual = usual.max(1.0) as u32;
    f64::from(ledger.plan.depth(usual).chosen) / f64::from(usual)
}

/// Liars know what any of them has seen: where one has lied they say the same, and what others have answered they leave alone.
fn says_a_lie(
    ledger: &Ledger<'_>,
    fleet: &Fleet<'_>,
    (job, device): (usize, usize),
    beside: Option<usize>,
    dice: &mut Dice,
) -> bool {
    let one = &ledger.jobs[job];
    let is_copy = !one.answers.is_empty();
    match ledger.setting.kind {
        _ if one.lie => true,
        Kind::Blind(share) => dice.happens(share),
        _ if is_copy => false,
        Kind::Always => true,
        Kind::Steady(share) => dice.happens(share),
        Kind::Sleeper(share) => fleet.rank(device) != Rank::Newcomer && dice.happens(share),
        Kind::Clump(first) => {
            fleet.rank(device) != Rank::Newcomer && ledger.lots.answers(device, one.node) < first
        }
        Kind::Unchecked => one.known_choice == Some(false),
        Kind::Together => beside.is_some_and(|other| fleet.devices[other].lies),
        Kind::Elsewhere => fleet.rank(device) != Rank::Newcomer && one.node + 1 == ledger.setting.nodes.len(),
    }
}

/// Lots of nodes of which nothing waits any more take no more answers.
fn close_what_is_out(ledger: &mut Ledger<'_>, fleet: &mut Fleet<'_>, dice: &mut Dice) {
    if ledger.first.iter().all(|first| !first.is_empty()) {
        return;
    }
    for lot in ledger.lots.open(None) {
        if ledger.is_out(ledger.lots.node(lot)) {
            ledger.close(lot, dice);
        }
    }
    ledger.work_off(fleet, dice);
}
