//! Whether a lot was accepted as it had to be: enough of its answers chosen, all of these agreed with, and enough devices behind
//! the others.

use super::flaw::{Flaw, or_nothing};
use super::job::word;
use super::lines::{LotFate, LotLine};
use super::tally::{Standing, Tally};
use crate::plan::Plan;

/// `tally`: what the lines of jobs have told of it.
pub(super) fn check(lot: &LotLine, tally: &Tally, plan: Option<&Plan>) -> Result<(), Flaw> {
    Flaw::same("the device", tally.device, lot.device)?;
    Flaw::same("the node", &*tally.node, &*lot.node)?;
    Flaw::same("the answers", tally.answers, lot.answers)?;
    Flaw::same("the answers that have passed", tally.passed, lot.passed)?;
    let Some(plan) = plan else {
        return Err(Flaw::new("a lot", "a policy with a plan", tally.policy));
    };
    let depth = plan.depth(lot.answers);
    Flaw::same(format!("k of {} answers", lot.answers), depth.chosen, lot.k)?;
    let nobody = "no job that is believed by it";
    let believed = or_nothing(tally.believed.map(|line| format!("the job in line {line}")));
    if lot.fate != LotFate::Accepted {
        let what = format!("a lot that is {}", word(&lot.fate));
        return Flaw::unless(tally.believed.is_none(), what, nobody, believed);
    }
    let wrong = or_nothing(tally.wrong.map(|line| format!("the one in line {line}")));
    Flaw::unless(tally.wrong.is_none(), "an accepted lot", "no answer that is refuted or void", wrong)?;
    let passed = tally.passed + tally.given_up;
    let least = format!("at least {}", lot.k);
    Flaw::unless(passed >= lot.k, "the answers that have passed", least, lot.passed)?;
    deep("an answer that chance has not chosen", depth.devices, tally.unchosen)?;
    deep("an answer that chance has chosen", depth.devices + 1, tally.chosen)
}

fn deep(what: &str, wanted: u32, weakest: Option<Standing>) -> Result<(), Flaw> {
    let Some(Standing { devices, line }) = weakest.filter(|weakest| weakest.devices < wanted) else {
        return Ok(());
    };
    let devices_of = |many: u32| if many == 1 { "1 device".to_owned() } else { format!("{many} devices") };
    Err(Flaw::new(
        what,
        format!("{} behind it", devices_of(wanted)),
        format!("{} in line {line}", devices_of(devices)),
    ))
}
