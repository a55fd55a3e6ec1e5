//! Why nobody takes a judged job that waits, in sentences: what of the connected workers may have it, and what keeps the others away.

use weevil_api::JobFleet;

use crate::clock::left;

/// What is to be said, most of all first. `now` in milliseconds since 1970.
pub(crate) fn whom(fleet: &JobFleet, now: i64) -> Vec<String> {
    let JobFleet {
        connected,
        may,
        known,
        known_only,
        needed,
        answered,
        keyless,
        resting,
        rests_until,
        left_out,
    } = fleet;
    if *connected == 0 {
        return vec!["no worker is connected".to_owned()];
    }
    let mut told = Vec::new();
    if *known_only {
        let agree = format!("{needed} have to agree at least");
        told.push(format!(
            "waits for an established device: {known} connected, {may} may still have it, {agree}"
        ));
    }
    if *answered > 0 && *may == 0 {
        told.push(format!(
            "needs another device or network: {} answered already",
            those(*answered, "has", "have")
        ));
    }
    if *keyless > 0 {
        let have = those(*keyless, "has", "have");
        told.push(format!(
            "{have} no device key and can never be established: only `none` and `quorum` jobs go there"
        ));
    }
    if *resting > 0 {
        let first = rests_until.map_or(0, |until| until);
        let rests = those(*resting, "rests", "rest");
        told.push(format!("{rests}, the first for {} more: an answer differed", left(first, now)));
    }
    told.extend(engines(left_out));
    told
}

/// `1 connected worker has`, `3 connected workers have`.
fn those(many: u32, one: &str, several: &str) -> String {
    if many == 1 {
        format!("1 connected worker {one}")
    } else {
        format!("{many} connected workers {several}")
    }
}

/// A job whose copies one engine computes leaves out all others.
fn engines(left_out: &[String]) -> Option<String> {
    match left_out {
        [] => None,
        engines if engines.len() >= 3 => Some("one engine alone computes its copies".to_owned()),
        [engine] => Some(format!("{} is left out of this code", browser(engine))),
        engines => {
            let names: Vec<_> = engines.iter().map(|engine| browser(engine)).collect();
            Some(format!("{} are left out of this code", names.join(" and ")))
        }
    }
}

/// What people call an engine by: the browser that is best known for it.
pub(crate) fn browser(engine: &str) -> &str {
    match engine {
        "chromium" => "Chromium",
        "gecko" => "Firefox",
        "webkit" => "Safari",
        "other" => "another kind of worker",
        unknown => unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> JobFleet {
        JobFleet { connected: 5, may: 1, ..JobFleet::default() }
    }

    fn engines_out(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn each_reason_is_a_sentence() {
        for (fleet, told) in [
            (JobFleet::default(), &["no worker is connected"][..]),
            (some(), &[]),
            (JobFleet { answered: 4, ..some() }, &[]),
            (
                JobFleet { answered: 4, may: 0, ..some() },
                &["needs another device or network: 4 connected workers have answered already"],
            ),
            (
                JobFleet { known_only: true, known: 2, needed: 3, ..some() },
                &[
                    "waits for an established device: 2 connected, 1 may still have it, 3 have to agree at least",
                ],
            ),
            (
                JobFleet { keyless: 1, ..some() },
                &[
                    "1 connected worker has no device key and can never be established: only `none` and `quorum` jobs go there",
                ],
            ),
            (
                JobFleet { resting: 2, rests_until: Some(7_200_000), ..some() },
                &["2 connected workers rest, the first for 1 h more: an answer differed"],
            ),
            (JobFleet { left_out: engines_out(&["gecko"]), ..some() }, &["Firefox is left out of this code"]),
            (
                JobFleet { left_out: engines_out(&["gecko", "webkit"]), ..some() },
                &["Firefox and Safari are left out of this code"],
            ),
            (
                JobFleet { left_out: engines_out(&["gecko", "webkit", "other"]), ..some() },
                &["one engine alone computes its copies"],
            ),
        ] {
            assert_eq!(whom(&fleet, 3_600_000), told, "{fleet:?}");
        }
    }
}
