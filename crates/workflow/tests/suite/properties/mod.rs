//! Properties: random valid documents become the plans that they describe, and nothing brings the reader down.

mod document;
mod model;
mod mutation;

use proptest::collection::vec;
use proptest::prelude::*;
use weevil_model::Severity;
use weevil_workflow::{Bundle, Plan, load};

use self::document::Style;
use self::model::Model;
use self::mutation::Mutation;
use crate::archives::{archive, deflated, stored};
use crate::common::{JOB, assert_within, bundle, listed};

/// As many as a build without optimisation runs through in a few seconds.
const CASES: u32 = 500;

fn files(document: &[u8]) -> Bundle {
    bundle(&[("w.xml", document), ("Add.js", JOB), ("list.json", b"[1, \"two\"]")])
}

/// What the plan says, in the form of the model.
fn described(plan: &Plan) -> Model {
    let id = |index| plan.node(index).id.to_string();
    let nodes = plan.nodes().iter().map(|node| model::Node {
        id: node.id.to_string(),
        kind: node.kind(),
        returns: node.return_type,
        ports: node.ports.iter().map(|port| (port.id.to_string(), port.data_type)).collect(),
        path: node.path.to_string(),
        supervisor: node.supervisor.map(id),
        outgoing: node.outgoing.iter().map(|out| (id(out.node), out.port)).collect(),
    });
    Model { nodes: nodes.collect(), last: id(plan.final_node()) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn a_valid_document_becomes_the_plan_that_it_describes(sketch in model::sketch(), style in Style::any()) {
        let (model, edges) = sketch.model();
        let text = document::text(&model, &edges, &style);
        let loaded = load(&files(text.as_bytes()));
        let loaded = loaded.map_err(|problems| TestCaseError::fail(format!("{}\n{text}", listed(&problems))))?;
        prop_assert_eq!(described(&loaded.plan), model, "{}", text);
        let codes: Vec<_> = loaded.warnings.iter().map(|warning| warning.code).collect();
        prop_assert!(codes.iter().all(|code| *code == "W0162"), "{:?}\n{}", codes, text);
    }

    #[test]
    fn a_changed_document_is_a_plan_or_explained(
        sketch in model::sketch(),
        style in Style::any(),
        mutations in vec(Mutation::any(), 1..6),
    ) {
        let (model, edges) = sketch.model();
        let mut bytes = document::text(&model, &edges, &style).into_bytes();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        let bundle = files(&bytes);
        let told = match load(&bundle) {
            Ok(loaded) => loaded.warnings,
            Err(problems) => {
                prop_assert!(problems.iter().any(|problem| problem.severity == Severity::Error));
                problems
            }
        };
        for problem in &told {
            assert_within(problem, &bundle);
        }
    }

    #[test]
    fn bytes_that_are_no_archive_are_refused(mut bytes in vec(any::<u8>(), 0..400), signed in any::<bool>()) {
        if signed {
            bytes.splice(..0, *b"PK\x03\x04");
            bytes.extend(b"PK\x05\x06");
        }
        prop_assert!(Bundle::from_zip(&bytes).is_err());
    }

    #[test]
    fn a_changed_archive_is_a_bundle_or_refused(mutations in vec(Mutation::any(), 1..6)) {
        let mut bytes = archive(&[stored("w/w.xml", b"<workflow/>"), deflated("w/Add.js", JOB), stored("w/b", b"x")]);
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        match Bundle::from_zip(&bytes) {
            Ok(bundle) => prop_assert!(bundle.files().count() <= 3),
            Err(refused) => prop_assert!(!refused.to_string().is_empty()),
        }
    }
}
