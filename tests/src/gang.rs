//! What liars who work together know: each of them sees at once what any of them was handed, and whether it was lied about
//! ([the attack model](../../docs/trust.md#the-attack-model)). Never decides when somebody begins to lie.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Whether the first answer to each job that somebody has answered was a lie. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Whispers(Arc<Mutex<HashMap<i64, bool>>>);

impl Whispers {
    /// Whether an answer to this job is a lie, as `choose` says of what is known of the job. From now on the gang knows.
    pub fn lies(&self, job: i64, choose: impl FnOnce(Option<bool>) -> bool) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lies = choose(known.get(&job).copied());
        known.entry(job).or_insert(lies);
        lies
    }
}

/// What a liar does about a job of which this is known: it repeats a lie, leaves alone what others have answered unless it is blind, and
/// `begins` one or not where nobody has.
pub fn liar(known: Option<bool>, is_blind: bool, begins: impl FnOnce() -> bool) -> bool {
    match known {
        Some(true) => true,
        Some(false) if !is_blind => false,
        _ => begins(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn liars_repeat_a_lie_and_leave_alone_what_others_have_answered() {
        for (first_lies, is_blind, expected) in
            [(true, false, true), (false, false, false), (false, true, true), (true, true, true)]
        {
            let whispers = Whispers::default();
            assert_eq!(whispers.lies(1, |known| known.is_none() && first_lies), first_lies);
            let second = whispers.clone().lies(1, |known| liar(known, is_blind, || true));
            assert_eq!(second, expected, "{first_lies} {is_blind}");
            assert!(!whispers.lies(1, |_| false), "who is honest never lies");
        }
    }
}
