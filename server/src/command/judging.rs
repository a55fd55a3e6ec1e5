//! How answers are judged on this server, as settings. Which of them are judged at all, `--trust` and those who ask say.

use clap::Args;
use clap::builder::RangedI64ValueParser;
use weevil_model::trust::AssumedShare;
use weevil_queue::Judging;

const DAY_SECONDS: i64 = 86_400;

#[derive(Debug, Args)]
pub(super) struct JudgingSettings {
    /// The share of all work that liars are assumed to do at most, 0.001 to 0.4: the more, the more is checked.
    #[arg(long, value_name = "SHARE", default_value_t, env = "WEEVIL_ASSUMED_LIARS")]
    assumed_liars: AssumedShare,
    /// How long a device may be away before the lots of its answers are closed and checked.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, env = "WEEVIL_ABSENCE_SECONDS")]
    #[arg(value_parser = RangedI64ValueParser::<i64>::new().range(10..=DAY_SECONDS))]
    absence_seconds: i64,
    /// How long a lot of answers stays open at most.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600, env = "WEEVIL_LOT_SECONDS")]
    #[arg(value_parser = RangedI64ValueParser::<i64>::new().range(10..=7 * DAY_SECONDS))]
    lot_seconds: i64,
}

impl From<JudgingSettings> for Judging {
    fn from(settings: JudgingSettings) -> Self {
        let JudgingSettings { assumed_liars, absence_seconds, lot_seconds } = settings;
        Self { liars: assumed_liars, absence_ms: absence_seconds * 1000, lot_ms: lot_seconds * 1000 }
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    fn judging(words: &[&str]) -> Result<Judging, String> {
        let command = JudgingSettings::augment_args(Command::new("serve").no_binary_name(true))
            .mut_args(|option| option.env(None::<&'static str>));
        let given = command.try_get_matches_from(words).map_err(|error| error.to_string())?;
        Ok(JudgingSettings::from_arg_matches(&given).unwrap().into())
    }

    #[test]
    fn judging_is_as_usual_unless_somebody_says_otherwise() {
        assert_eq!(judging(&[]), Ok(Judging::default()));
        for (liars, absence, lot) in [("0.001", 10, 10), ("0.4", 86_400, 604_800), ("0.123456", 60, 61)] {
            let words = [
                format!("--assumed-liars={liars}"),
                format!("--absence-seconds={absence}"),
                format!("--lot-seconds={lot}"),
            ];
            let expected =
                Judging { liars: liars.parse().unwrap(), absence_ms: absence * 1000, lot_ms: lot * 1000 };
            assert_eq!(judging(&words.each_ref().map(String::as_str)), Ok(expected), "{words:?}");
        }
    }

    #[test]
    fn what_is_out_of_bounds_is_told_in_words() {
        for (word, told) in [
            ("--assumed-liars=0.5", "it is a share from 0.001 to 0.4, written as `0.05`"),
            ("--assumed-liars=0", "it is a share from 0.001 to 0.4"),
            ("--assumed-liars=5%", "it is a share from 0.001 to 0.4"),
            ("--assumed-liars=0.0500001", "with six decimals at most"),
            ("--absence-seconds=9", "9 is not in 10..=86400"),
            ("--absence-seconds=86401", "86401 is not in 10..=86400"),
            ("--lot-seconds=9", "9 is not in 10..=604800"),
            ("--lot-seconds=604801", "604801 is not in 10..=604800"),
            ("--lot-seconds=1.5", "invalid digit found in string"),
        ] {
            let refused = judging(&[word]).unwrap_err();
            assert!(refused.contains(told), "{word}: {refused}");
        }
    }
}
