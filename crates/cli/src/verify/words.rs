//! What a certificate that holds tells people, and what nobody has checked.

use weevil_trust::certificate::{Believed, Counts, Summary};

use super::recompute::Recomputed;

/// Pools that are named.
const MAX_NAMED: usize = 3;

/// What it was compared with.
pub(super) struct Compared {
    /// Those whose input was split, where there is a workflow.
    pub(super) pools: Option<Vec<String>>,
    pub(super) has_result: bool,
    pub(super) has_key: bool,
    pub(super) recomputed: Option<Recomputed>,
}

pub(super) fn words(summary: &Summary, compared: &Compared) -> Vec<String> {
    let mut lines = vec![subject(summary), chain(summary), counts(summary)];
    lines.extend(bound(summary));
    let doubted = summary.end.counts.doubted;
    if doubted > 0 {
        lines.push(format!(
            "DOUBTED: {} on the word of a device that was found wrong later",
            many(doubted, "value stands", "values stand")
        ));
    }
    if let Some(Recomputed { done, of, .. }) = &compared.recomputed {
        lines.push(format!(
            "{done} of {} computed again here came to the same",
            many(*of, "job of modules", "jobs of modules")
        ));
    }
    let unchecked = unchecked(summary, compared);
    lines.push("Not checked:".to_owned());
    lines.extend(unchecked.into_iter().map(|what| format!("  {what}")));
    lines
}

fn subject(summary: &Summary) -> String {
    let Summary { head, end, .. } = summary;
    match (head.run, head.workflow, &head.document) {
        (Some(run), Some(workflow), Some(document)) => {
            format!("The certificate holds: {run} of {document} ({workflow}) is {}", end.state)
        }
        _ => format!("The certificate holds: a job that stands alone is {}", end.state),
    }
}

fn chain(summary: &Summary) -> String {
    let Summary { head, lines, .. } = summary;
    format!("{} in one chain, signed by the key {}", many(*lines, "line", "lines"), head.key)
}

fn counts(summary: &Summary) -> String {
    let Counts { jobs, answers, refuted, void, lots, believed, .. } = summary.end.counts;
    let Believed { none, reused, trusted, referee, proved, agreed, lot } = believed;
    let kinds = [
        (lot, format!("in {}", many(lots, "lot", "lots"))),
        (agreed, "by devices that agree".to_owned()),
        (trusted, "by trusted devices".to_owned()),
        (referee, "computed by the server".to_owned()),
        (proved, "by a proof of the workflow".to_owned()),
        (reused, "from earlier runs".to_owned()),
        (none, "at the first word, since nobody judges them".to_owned()),
    ];
    let kinds = kinds.into_iter().filter(|(many, _)| *many > 0).map(|(many, how)| format!("{many} {how}"));
    let kinds: Vec<String> = kinds.collect();
    let wrong = if refuted + void > 0 { format!("; {refuted} refuted, {void} void") } else { String::new() };
    let (jobs, answers) = (many(jobs, "job", "jobs"), many(answers, "answer", "answers"));
    let believed = if kinds.is_empty() { "nothing is believed".to_owned() } else { kinds.join(", ") };
    format!("{jobs}, {answers}: {believed}{wrong}")
}

fn bound(summary: &Summary) -> Option<String> {
    let bound = summary.end.bound?;
    // Exact to the millionth, as it is.
    let liars = (summary.head.assumed.as_f64() * 1e6).round() / 1e4;
    Some(if bound > 0.0 {
        let one_in = (1.0 / bound).floor();
        format!(
            "At most 1 in {one_in} of the values under a credible policy is expected to be wrong, if liars do at most {liars} % \
             of the work"
        )
    } else {
        "No value under a credible policy stands on the word of strangers".to_owned()
    })
}

fn unchecked(summary: &Summary, compared: &Compared) -> Vec<String> {
    let Compared { pools, has_result, has_key, recomputed } = compared;
    let Summary { head, near, valueless, .. } = summary;
    let Believed { reused, proved, .. } = summary.end.counts.believed;
    let workflow = match pools.as_deref() {
        None if head.run.is_none() => None,
        None => Some("whether codes and arguments are those of a workflow (--workflow)".to_owned()),
        Some([]) => None,
        Some(pools) => Some(format!("how the input of {} was split into elements", named(pools))),
    };
    let result = (!has_result).then(|| "which value the result is (--result)".to_owned());
    let key = (!has_key).then(|| "whose key it is (--key)".to_owned());
    let counted = |count: u64, what: &str| (count > 0).then(|| format!("{what}: {count}"));
    let rest = "what only the server saw: that chance chose the answers that were checked, after they came, and that devices and \
                networks are what it says";
    [
        workflow,
        result,
        key,
        counted(*valueless, "why jobs have no value"),
        counted(reused, "what values of earlier runs stand on"),
        counted(proved, "whether proofs of the workflow say so"),
        counted(*near, "whether answers that were compared by a tolerance or a module are near each other"),
        Some(rest.to_owned()),
    ]
    .into_iter()
    .flatten()
    .chain(
        recomputed.iter().flat_map(|recomputed| &recomputed.undone).map(|undone| format!("again {undone}")),
    )
    .collect()
}

fn named(pools: &[String]) -> String {
    let names: Vec<String> = pools.iter().take(MAX_NAMED).map(|id| format!("`{id}`")).collect();
    let more = pools.len().saturating_sub(MAX_NAMED);
    if more > 0 {
        format!("{} and {}", names.join(", "), many(more as u64, "pool more", "pools more"))
    } else {
        names.join(", ")
    }
}

fn many(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
