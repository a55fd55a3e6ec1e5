//! How long each step of the demo took, and the table of it.
//! It never runs anything but the steps that it is handed.

use std::time::{Duration, Instant};

use crate::failure::Done;

/// The steps so far, in order.
#[derive(Debug, Default)]
pub(super) struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// Takes the time of a step; one that fails has none.
    pub(super) fn step<T>(&mut self, name: &'static str, step: impl FnOnce() -> Done<T>) -> Done<T> {
        let began = Instant::now();
        let outcome = step()?;
        self.0.push((name, began.elapsed()));
        Ok(outcome)
    }

    /// Seconds of each step, and of all.
    pub(super) fn table(&self) -> String {
        let all = ("all", self.0.iter().map(|(_, time)| *time).sum());
        let head = format!("{:<20}{:>9}\n", "step", "seconds");
        let row = |(name, time): &(&str, Duration)| format!("{name:<20}{:>9.1}\n", time.as_secs_f64());
        head + &self.0.iter().chain([&all]).map(row).collect::<String>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;

    #[test]
    fn the_table_has_each_step_and_their_sum() {
        let times = Times(vec![
            ("tools and packages", Duration::from_millis(105_240)),
            ("server", Duration::from_secs(530)),
            ("pi", Duration::from_millis(44_060)),
        ]);
        let expected = "\
step                  seconds
tools and packages      105.2
server                  530.0
pi                       44.1
all                     679.3
";
        assert_eq!(times.table(), expected);
    }

    #[test]
    fn a_step_hands_on_what_it_made_and_one_that_fails_has_no_row() {
        let mut times = Times::default();
        assert_eq!(times.step("one", || Ok(7)).unwrap(), 7);
        assert!(times.step("two", || Done::<()>::Err(Failure::new("broken", "none"))).is_err());
        let names: Vec<_> = times.0.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["one"]);
    }
}
