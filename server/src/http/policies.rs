//! The policies of trust that a request names, and that a workflow names by itself: those that this server can keep.

use weevil_engine::plans::SmallestError;
use weevil_model::trust::{Policy, PolicyError};
use weevil_workflow::{Plan, PlanNode};

use crate::refusal::Refusal;

/// # Errors
/// It is no policy, or one that promises more than this server can keep: in words, with what would do.
pub(super) fn read(text: &str, smallest: SmallestError) -> Result<Policy, String> {
    let policy = text.parse().map_err(|error: PolicyError| error.to_string())?;
    check(policy, smallest)?;
    Ok(policy)
}

/// Checks what jobs of a run are judged by: what it was asked for, else what its workflow says. What the server says where
/// neither does was checked at its start.
pub(super) fn check_run(asked: Option<Policy>, plan: &Plan, smallest: SmallestError) -> Result<(), Refusal> {
    let checked = match asked {
        Some(policy) => check(policy, smallest).map_err(|words| format!("`trust`: {words}")),
        None => check_nodes(plan.nodes(), smallest),
    };
    checked.map_err(Refusal::BadUpload)
}

/// Whether any job of a run is judged. `usual`: the policy of jobs that nobody names one for.
pub(super) fn is_judged(asked: Option<Policy>, plan: &Plan, usual: Policy) -> bool {
    let specs = || plan.nodes().iter().flat_map(|node| node.body.specs());
    match asked {
        Some(policy) => policy.is_judged(),
        None => specs().any(|spec| spec.trust.unwrap_or(usual).is_judged()),
    }
}

fn check_nodes(nodes: &[PlanNode], smallest: SmallestError) -> Result<(), String> {
    nodes.iter().flat_map(|node| node.body.specs()).try_for_each(|spec| {
        let checked = spec.trust.map_or(Ok(()), |policy| check(policy, smallest));
        checked.map_err(|words| format!("`trust` of `{}`: {words}", spec.id))
    })
}

fn check(policy: Policy, smallest: SmallestError) -> Result<(), String> {
    smallest.check(policy).map_err(|none| format!("`{policy}`: {none}"))
}

#[cfg(test)]
mod tests {
    use weevil_model::trust::AssumedShare;
    use weevil_workflow::Bundle;

    use super::*;

    const KEPT: &str = "credible(0.1)";
    const TOO_MUCH: &str = "credible(0.0001)";

    fn smallest() -> SmallestError {
        SmallestError::assuming(AssumedShare::LARGEST)
    }

    #[test]
    fn a_policy_is_one_of_the_forms_and_can_be_kept() {
        for (text, told) in [
            ("none", None),
            ("quorum(7)", None),
            (KEPT, None),
            (TOO_MUCH, Some("`credible(0.0001)`: with this share of liars assumed, the smallest error")),
            ("twice", Some("`quorum(3)` (2 to 7 answers that agree)")),
        ] {
            match (read(text, smallest()), told) {
                (Ok(policy), None) => assert_eq!(Ok(policy), text.parse()),
                (Err(words), Some(told)) => assert!(words.contains(told), "{text}: {words}"),
                (read, _) => panic!("{text}: {read:?}"),
            }
        }
        assert!(read(TOO_MUCH, SmallestError::assuming(AssumedShare::default())).is_ok());
    }

    fn plan(workflow: &str, processor: &str, reducer: &str) -> Plan {
        let part = |name: &str, trust: &str, takes: &str| {
            format!(
                r#"<{name} id="{name}" src="Sum" {trust} returntype="Number">
                <parameters><parameter id="x" paramtype="{takes}" /></parameters></{name}>"#
            )
        };
        let document = format!(
            r#"<workflow {workflow}><nodes><value id="list" value="[1]" returntype="Array" />
            <pool id="pool" returntype="Number"><parameters><parameter id="x" paramtype="Array" /></parameters>{}{}</pool></nodes>
            <edges><edge source="list" dest="pool" /></edges><finalnode id="pool" /></workflow>"#,
            part("processor", processor, "Number"),
            part("reducer", reducer, "Array"),
        );
        let files = [("workflow.xml", &*document), ("Sum.js", "function weevil_main(x) { return +x }")];
        let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
        let loaded = weevil_workflow::load(&Bundle::new(files.into()).unwrap());
        loaded.unwrap_or_else(|found| panic!("{found:?}")).plan
    }

    #[test]
    fn a_run_is_refused_where_its_jobs_would_be_judged_by_what_cannot_be_kept() {
        let says = |policy: &str| format!("trust=\"{policy}\"");
        for (asked, workflow, processor, reducer, told) in [
            (None, "none", "none", "none", None),
            (None, KEPT, KEPT, "quorum(2)", None),
            (None, TOO_MUCH, KEPT, "none", None),
            (
                None,
                "none",
                TOO_MUCH,
                "none",
                Some("`trust` of `processor`: `credible(0.0001)`: with this share"),
            ),
            (None, "none", TOO_MUCH, TOO_MUCH, Some("`trust` of `processor`: ")),
            (
                None,
                "none",
                "none",
                TOO_MUCH,
                Some("`trust` of `reducer`: `credible(0.0001)`: with this share"),
            ),
            (Some("none"), TOO_MUCH, TOO_MUCH, TOO_MUCH, None),
            (Some(KEPT), "none", TOO_MUCH, "none", None),
            (Some(TOO_MUCH), KEPT, KEPT, KEPT, Some("`trust`: `credible(0.0001)`: with this share")),
        ] {
            let plan = plan(&says(workflow), &says(processor), &says(reducer));
            let asked = asked.map(|policy| policy.parse().unwrap());
            let found = check_run(asked, &plan, smallest()).map_err(|refusal| refusal.to_string());
            let as_told = match (&found, told) {
                (Ok(()), None) => true,
                (Err(words), Some(told)) => words.contains(told),
                _ => false,
            };
            assert!(as_told, "{asked:?} {workflow} {processor} {reducer}: {found:?}");
        }
        let unsaid = plan(&says(TOO_MUCH), "", &says("none"));
        assert!(check_run(None, &unsaid, smallest()).is_err(), "what the workflow says, its processor takes");
    }

    #[test]
    fn a_run_is_judged_where_one_of_its_jobs_is() {
        for (asked, processor, reducer, usual, is_so) in [
            (None, "none", "none", KEPT, false),
            (None, "none", "quorum(2)", "none", true),
            (None, KEPT, "none", "none", true),
            (Some("none"), KEPT, KEPT, KEPT, false),
            (Some(KEPT), "none", "none", "none", true),
        ] {
            let plan = plan("", &format!("trust=\"{processor}\""), &format!("trust=\"{reducer}\""));
            let (asked, usual) = (asked.map(|policy| policy.parse().unwrap()), usual.parse().unwrap());
            assert_eq!(is_judged(asked, &plan, usual), is_so, "{asked:?} {processor} {reducer} {usual}");
        }
        let unsaid = plan("", "", "");
        for (usual, is_so) in [("none", false), ("quorum(2)", true)] {
            assert_eq!(is_judged(None, &unsaid, usual.parse().unwrap()), is_so, "{usual}");
        }
    }
}
