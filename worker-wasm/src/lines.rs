//! What the code of one attempt has logged. A job worker may say anything: it is bounded here, whatever it was there.

use weevil_model::limits::{MAX_LOG_CHARS, MAX_LOG_LINE_CHARS, MAX_LOG_LINES};

/// Room for the last line, which says how many were left out.
const LAST_CHARS: usize = 100;

#[derive(Debug, Default)]
pub(crate) struct Lines {
    text: String,
    /// Characters of `text`, in which each line ends with a feed.
    chars: usize,
    kept: usize,
    /// Lines that came here and were not kept.
    refused: u64,
    /// Lines that stay in the job worker, as it told last.
    behind: u64,
}

impl Lines {
    /// Once a line has found no room no later one is kept: nobody could see the gap.
    pub(crate) fn add(&mut self, line: &str) {
        let chars = line.chars().take(MAX_LOG_LINE_CHARS).count() + 1;
        let full = self.kept == MAX_LOG_LINES || self.chars + chars > MAX_LOG_CHARS - LAST_CHARS;
        if full || self.refused > 0 {
            self.refused += 1;
            return;
        }
        self.text.extend(line.chars().take(MAX_LOG_LINE_CHARS));
        self.text.push('\n');
        self.kept += 1;
        self.chars += chars;
    }

    /// The job worker keeps so many lines to itself.
    pub(crate) fn stay_behind(&mut self, lines: u64) {
        self.behind = self.behind.max(lines);
    }

    /// All of it; `None` where nothing was logged. Where the job was not `heard_out` there may be more.
    pub(crate) fn told(self, heard_out: bool) -> Option<String> {
        let Self { mut text, refused, behind, .. } = self;
        let least = if heard_out { "" } else { "at least " };
        match refused.saturating_add(behind) {
            0 => text.pop().map(|_feed| text),
            left_out => Some(format!("{text}[lines left out: {least}{left_out}]")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: impl IntoIterator<Item = String>, behind: u64) -> Option<String> {
        let mut log = Lines::default();
        lines.into_iter().for_each(|line| log.add(&line));
        log.stay_behind(behind);
        log.told(true)
    }

    #[test]
    fn lines_are_joined_and_what_is_left_out_is_counted() {
        let bug = "\u{1F41B}";
        let many = |count: usize| (1..=count).map(|line| line.to_string());
        let all = |count| many(count).collect::<Vec<_>>().join("\n");
        let long = bug.repeat(MAX_LOG_LINE_CHARS);
        let longs = |count: usize| vec![long.clone(); count];
        for (lines, behind, expected) in [
            (vec![], 0, None),
            (vec![String::new()], 0, Some(String::new())),
            (vec!["a".into(), String::new(), "b\nc".into()], 0, Some("a\n\nb\nc".into())),
            (vec![], 7, Some("[lines left out: 7]".into())),
            (many(100).collect(), 0, Some(all(100))),
            (many(103).collect(), 9_999_900, Some(format!("{}\n[lines left out: 9999903]", all(100)))),
            (vec![long.clone() + "more"], 0, Some(long.clone())),
            (longs(16), 0, Some(longs(15).join("\n") + "\n[lines left out: 1]")),
            (
                [longs(16), vec!["short".into()]].concat(),
                u64::MAX,
                Some(longs(15).join("\n") + "\n[lines left out: 18446744073709551615]"),
            ),
        ] {
            let told = told(lines, behind);
            assert!(told.as_ref().is_none_or(|told| told.chars().count() <= MAX_LOG_CHARS));
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn the_number_left_out_only_grows_and_is_a_least_one_where_the_job_was_ended() {
        let mut log = Lines::default();
        for lines in [4, 8, 2] {
            log.stay_behind(lines);
        }
        assert_eq!(log.told(false), Some("[lines left out: at least 8]".into()));
    }
}
