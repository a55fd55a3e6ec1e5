//! The schema and the parser judge alike: real documents, and each mistake that a schema can see. `xmllint` validates.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use weevil_model::trust::Policy;
use weevil_model::{Agree, Severity, Within};
use weevil_workflow::xsd;

use crate::common::{figure, problems};
use crate::diagnostics::aim::bounds;
use crate::diagnostics::{SOUND, documents};

/// Mistakes that an XSD 1.0 schema cannot tell, or that this one leaves to the checker.
const BEYOND_THE_SCHEMA: &[&str] = &[
    "W0102", // Other readers know more encodings.
    "W0103", // They read document types.
    "W0124", // A jobtype that this version does not run is a word of the language.
    "W0130", "W0131", // One of two attributes.
    "W0132", "W0134", // What a literal or a file holds.
    "W0136", "W0137", // Whether a file is there, and what it defines.
    "W0140", "W0141", "W0142", "W0143", // Numbers and types of ports.
    "W0152", "W0153", "W0156", "W0157", "W0158", // Edges and ports.
    "W0159", "W0162", // The whole graph.
    "W0206", // What two attributes say together.
];

/// The documents that `xmllint` takes for valid, by position.
fn valid(documents: &[String]) -> HashSet<usize> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("workflow.xsd"), xsd()).unwrap();
    let mut command = Command::new("xmllint");
    command.current_dir(folder.path()).args(["--nonet", "--noout", "--schema", "workflow.xsd"]);
    for (at, document) in documents.iter().enumerate() {
        fs::write(folder.path().join(at.to_string()), document).unwrap();
        command.arg(at.to_string());
    }
    let output = command.output().expect("xmllint is missing: cargo xtask setup");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!told.contains("failed to compile"), "{told}");
    told.lines().filter_map(|line| line.strip_suffix(" validates")?.parse().ok()).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn what_people_have_written_is_valid() {
    let shipped = ["add", "flops", "pi"].map(|name| read(&format!("../../workflows/{name}/workflow.xml")));
    let figures = ["6.4", "6.5"].map(|number| read(&format!("tests/data/figure-{number}.xml")));
    assert!(figures.iter().all(|document| problems(&figure(document)).is_empty()));
    let documents = [&shipped[..], &figures, &[SOUND.to_owned()]].concat();
    assert_eq!(valid(&documents).len(), documents.len());
}

#[test]
fn elements_and_attributes_stand_in_any_order() {
    let layouts = [
        SOUND.replacen("<workflow>", "<workflow><finalnode id=\"j\"/>", 1).replacen(
            "  <finalnode id=\"j\"/>\n<",
            "<",
            1,
        ),
        SOUND.replace(
            "id=\"v\" value=\"1\" returntype=\"Number\"",
            "returntype=' Number\n' value=\"1\" id=' v '",
        ),
        SOUND.replacen(
            "<job ",
            "<job retries=' 20 ' timeout=\"+1\" priority=\"-50000\" jobtype=\"javascript\" trust=' quorum(2)\n' ",
            1,
        ),
        SOUND.replacen(
            "<workflow>",
            "<workflow link=' http://a.org:80?b ' question='&lt;b>\n象 &#10; ' project='P'>",
            1,
        ),
        SOUND.replace("\n ", "\n<!-- é --><?editor hint?> "),
        SOUND.replace("<finalnode id=\"j\"/>", "<finalnode id=\"j\">\n <!-- x -->\n</finalnode>"),
        SOUND.replace("<nodes>", "<nodes>\n<value id=\"ü-1\" value=\"\" returntype=\"String\"/>"),
    ];
    for (at, document) in layouts.iter().enumerate() {
        let errors = problems(&crate::diagnostics::files(document));
        assert!(errors.iter().all(|found| found.severity == Severity::Warning), "{document}\n{errors:?}");
        assert!(valid(std::slice::from_ref(document)).contains(&0), "{at}\n{document}");
    }
}

#[test]
fn both_know_the_same_limits_of_texts() {
    let documents: Vec<_> = bounds().flat_map(|(_, documents)| documents).collect();
    let longest = (0..documents.len()).filter(|at| at % 2 == 0);
    assert_eq!(valid(&documents), longest.collect());
}

#[test]
fn both_know_the_same_policies() {
    let shares =
        ["0", "0.0", "0.1", "0.100000", "0.1000000", "0.100001", "0.2", "1", ".1", "0.", "1e-3", "0.0010"];
    let decimals =
        (0..6).flat_map(|at| ["1", "109", "19"].map(|digits| format!("0.{}{digits}", "0".repeat(at))));
    let shares = shares.map(str::to_owned).into_iter().chain(decimals);
    let credible = shares.map(|share| format!("credible({share})"));
    let quorums = ["", "0", "1", "2", "7", "8", "22", "+2", "2.0"].map(|votes| format!("quorum({votes})"));
    let words = ["", "none", "None", "quorum", "quorum(3", "quorum 3", "no ne", "any(3)"].map(str::to_owned);
    let policies: Vec<_> = credible.chain(quorums).chain(words).collect();
    let documents = policies.iter().flat_map(|policy| {
        ["<workflow", "<job", "<processor", "<reducer"]
            .map(|tag| SOUND.replacen(tag, &format!("{tag} trust=\" {policy}\n\""), 1))
    });
    let valid = valid(&documents.collect::<Vec<_>>());
    for (at, policy) in policies.iter().enumerate() {
        let read = policy.parse::<Policy>().is_ok();
        assert!((4 * at..4 * at + 4).all(|document| valid.contains(&document) == read), "{policy}: {read}");
    }
}

#[test]
fn both_know_the_same_ways_to_compare() {
    let numbers = [
        "",
        "0",
        "1",
        "2",
        "0.5",
        "1.0",
        "1.01",
        ".5",
        "1.",
        "1e-9",
        "9.99E-300",
        "10e-2",
        "1e0",
        "1e-0",
        "1e-1000",
        "-1",
    ];
    let near = numbers.iter().flat_map(|one| {
        let alone = [format!("near({one})"), format!("near({one}"), format!("near( {one})")];
        alone.into_iter().chain(["0.25", "1e-12", "2", ""].map(|other| format!("near({one},  {other})")))
    });
    let words = ["", "exact", "Exact", "near", ".wasm", "Same.js", "Same.wasm", "lib/Same it.wasm"]
        .map(str::to_owned);
    let agrees: Vec<_> = near
        .chain(words)
        .chain([format!("{}.wasm", "x".repeat(195)), format!("{}.wasm", "x".repeat(196))])
        .collect();
    let withins = ["", "engine", "Engine", "browser"];
    let tags = ["<job", "<processor", "<reducer"];
    let document =
        |tag: &str, name: &str, word: &str| SOUND.replacen(tag, &format!("{tag} {name}=\" {word}\n\""), 1);
    let agree = agrees.iter().map(|word| (document("<job", "agree", word), word.parse::<Agree>().is_ok()));
    let within = tags
        .iter()
        .flat_map(|tag| withins.map(|word| (document(tag, "within", word), Within::parse(word).is_some())));
    let (documents, read): (Vec<_>, Vec<_>) = agree.chain(within).unzip();
    let valid = valid(&documents);
    for (at, (document, read)) in documents.iter().zip(read).enumerate() {
        assert_eq!(valid.contains(&at), read, "{document}");
    }
}

#[test]
fn each_mistake_that_a_schema_can_tell_is_told_by_both() {
    let (codes, documents): (Vec<_>, Vec<_>) = documents().unzip();
    let valid = valid(&documents);
    for (at, code) in codes.iter().enumerate() {
        let beyond = BEYOND_THE_SCHEMA.contains(code);
        assert_eq!(valid.contains(&at), beyond, "{code}\n{}", documents[at]);
    }
}
