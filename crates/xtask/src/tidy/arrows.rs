//! The borders between the crates: who may depend on whom, and which library belongs to whom.
//! It never reads the disk; the graph and the manifests are handed in.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::graph::Package;

/// Each member and the members it may name in its Cargo.toml.
const ARROWS: [(&str, &[&str]); 27] = [
    ("weevil-failpoint", &[]),
    ("weevil-mariadb", &[]),
    ("weevil-model", &[]),
    ("weevil-workflow", &["weevil-kernels", "weevil-model"]),
    ("weevil-dataflow", &["weevil-model"]),
    ("weevil-queue", &["weevil-model"]),
    ("weevil-records", &["weevil-model", "weevil-queue"]),
    ("weevil-protocol", &["weevil-model"]),
    ("weevil-api", &["weevil-model"]),
    ("weevil-client", &["weevil-api", "weevil-model"]),
    (
        "weevil-cli",
        &[
            "weevil-api",
            "weevil-client",
            "weevil-kernels",
            "weevil-model",
            "weevil-referee",
            "weevil-trust",
            "weevil-workflow",
        ],
    ),
    ("weevil-kernels", &["weevil-model"]),
    ("weevil-peer", &["weevil-model"]),
    ("weevil-access", &["weevil-model"]),
    ("weevil-trust", &["weevil-model"]),
    ("weevil-referee", &["weevil-model"]),
    ("weevil-gang", &["weevil-model", "weevil-trust"]),
    (
        "weevil-store",
        &[
            "weevil-access",
            "weevil-failpoint",
            "weevil-mariadb",
            "weevil-model",
            "weevil-queue",
            "weevil-records",
            "weevil-trust",
        ],
    ),
    (
        "weevil-engine",
        &[
            "weevil-dataflow",
            "weevil-failpoint",
            "weevil-model",
            "weevil-peer",
            "weevil-queue",
            "weevil-records",
            "weevil-referee",
            "weevil-store",
            "weevil-trust",
            "weevil-workflow",
        ],
    ),
    ("weevil-worker-wasm", &["weevil-model", "weevil-protocol"]),
    ("weevil-gpu-wasm", &[]),
    ("weevil-check-wasm", &["weevil-model", "weevil-workflow"]),
    ("weevil-bindgen", &[]),
    ("weevil-book", &[]),
    ("weevil-xtask", &["weevil-api", "weevil-book", "weevil-client", "weevil-dataflow", "weevil-protocol"]),
    ("weevil-server", &LIBRARIES),
    ("weevil-e2e", &HARNESS),
];

const LIBRARIES: [&str; 16] = [
    "weevil-access",
    "weevil-book",
    "weevil-failpoint",
    "weevil-model",
    "weevil-workflow",
    "weevil-dataflow",
    "weevil-queue",
    "weevil-records",
    "weevil-protocol",
    "weevil-api",
    "weevil-client",
    "weevil-cli",
    "weevil-kernels",
    "weevil-peer",
    "weevil-store",
    "weevil-engine",
];

const HARNESS: [&str; 19] = [
    "weevil-access",
    "weevil-failpoint",
    "weevil-mariadb",
    "weevil-model",
    "weevil-workflow",
    "weevil-dataflow",
    "weevil-queue",
    "weevil-records",
    "weevil-protocol",
    "weevil-api",
    "weevil-client",
    "weevil-cli",
    "weevil-kernels",
    "weevil-peer",
    "weevil-store",
    "weevil-engine",
    "weevil-server",
    "weevil-gang",
    "weevil-referee",
];

/// Libraries that belong to some members.
struct Fence {
    libraries: &'static [&'static str],
    /// The members that may name them.
    owners: &'static [&'static str],
    /// Members that may reach them through an owner.
    through: &'static [&'static str],
}

/// What the workflow language is read with.
const LANGUAGE: [&str; 7] =
    ["oxc_allocator", "oxc_ast", "oxc_diagnostics", "oxc_parser", "oxc_semantic", "oxc_span", "wasmparser"];

const FENCES: [Fence; 9] = [
    Fence { libraries: &["actix"], owners: &["weevil-engine", "weevil-server"], through: &["weevil-e2e"] },
    Fence {
        libraries: &["actix-http", "actix-multipart", "actix-web", "actix-ws"],
        owners: &["weevil-server"],
        through: &["weevil-e2e"],
    },
    Fence {
        libraries: &["sqlx"],
        owners: &["weevil-store"],
        through: &["weevil-engine", "weevil-server", "weevil-e2e"],
    },
    Fence {
        libraries: &["argon2", "zxcvbn"],
        owners: &["weevil-access"],
        through: &["weevil-store", "weevil-engine", "weevil-server", "weevil-e2e"],
    },
    Fence {
        libraries: &["wasmi", "wasmi_core"],
        owners: &["weevil-referee"],
        through: &["weevil-cli", "weevil-engine", "weevil-server", "weevil-e2e"],
    },
    Fence { libraries: &["wgpu"], owners: &["weevil-gpu-wasm"], through: &[] },
    Fence {
        libraries: &["ureq"],
        owners: &["weevil-client", "weevil-e2e"],
        through: &["weevil-cli", "weevil-server", "weevil-xtask"],
    },
    // `wasmi` reads modules with an older `wasmparser`.
    Fence {
        libraries: &LANGUAGE,
        owners: &["weevil-workflow"],
        through: &[
            "weevil-bindgen",
            "weevil-check-wasm",
            "weevil-cli",
            "weevil-engine",
            "weevil-referee",
            "weevil-server",
            "weevil-e2e",
        ],
    },
    Fence {
        libraries: &["naga"],
        owners: &["weevil-kernels"],
        through: &[
            "weevil-workflow",
            "weevil-gpu-wasm",
            "weevil-check-wasm",
            "weevil-cli",
            "weevil-engine",
            "weevil-server",
            "weevil-e2e",
        ],
    },
];

/// The arrows for people: a line for each member.
pub(super) fn picture() -> String {
    let short = |name: &str| name.trim_start_matches("weevil-").to_owned();
    let line = |(name, allowed): &(&str, &[&str])| {
        let known = allowed.iter().map(|name| short(name)).collect::<Vec<_>>().join(" ");
        format!("{:<12}{}\n", short(name), if known.is_empty() { "nobody" } else { &known })
    };
    ARROWS.iter().map(line).collect()
}

/// All findings; `manifest` gives the text of a Cargo.toml by its path.
pub(super) fn check(packages: &[Package], manifest: impl Fn(&str) -> String) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let text = manifest(&package.manifest);
        let mut report = |library: &str, what: String, cure: String| {
            findings.push(Finding::new(&package.manifest, line_of(&text, library), what, cure));
        };
        check_arrows(package, &mut report);
        for fence in &FENCES {
            check_fence(package, fence, &mut report);
        }
    }
    findings
}

fn check_arrows(package: &Package, report: &mut impl FnMut(&str, String, String)) {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == package.name) else {
        let what = format!("{} is a member without arrows", package.name);
        return report("name", what, "add it to ARROWS in crates/xtask/src/tidy/arrows.rs".to_owned());
    };
    for dependency in package.direct.iter().filter(|name| name.starts_with("weevil-")) {
        if !allowed.contains(&dependency.as_str()) {
            let what = format!("{} may not know {dependency}", package.name);
            let cure = "let the server join them, or move what both need to weevil-model";
            report(dependency, what, cure.to_owned());
        }
    }
}

fn check_fence(package: &Package, fence: &Fence, report: &mut impl FnMut(&str, String, String)) {
    let Fence { libraries, owners, through } = fence;
    let name = package.name.as_str();
    if owners.contains(&name) {
        return;
    }
    let held = |names: &BTreeSet<String>| libraries.iter().find(|it| names.contains(**it)).copied();
    let owners = owners.join(" and ");
    if let Some(library) = held(&package.direct) {
        report(
            library,
            format!("{library} belongs to {owners} only"),
            format!("move what needs it to {owners}"),
        );
    } else if !through.contains(&name)
        && let Some(library) = held(&package.reached)
    {
        let cure = format!("`cargo tree -p {name} -i {library}` shows the way: cut it");
        report(library, format!("{name} reaches {library}, which belongs to {owners}"), cure);
    }
}

/// The line of a manifest that names `key`, and the first where none does.
fn line_of(manifest: &str, key: &str) -> usize {
    let names = |line: &str| {
        let rest = line.trim_start_matches(['[', ' ']).trim_start_matches("dependencies.").strip_prefix(key);
        rest.is_some_and(|rest| rest.starts_with([' ', '.', '=', ']']))
    };
    manifest.lines().position(names).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, direct: &[&str], reached: &[&str]) -> Package {
        let set = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<BTreeSet<_>>();
        Package {
            name: name.to_owned(),
            manifest: "Cargo.toml".to_owned(),
            direct: set(direct),
            reached: set(reached),
        }
    }

    fn whats(package: Package) -> Vec<String> {
        check(&[package], |_| String::new()).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn borders_hold_and_break() {
        let table: [(Package, &[&str]); 13] = [
            (package("weevil-store", &["weevil-queue", "sqlx"], &["sqlx", "sqlx-core"]), &[]),
            (package("weevil-server", &["actix-web", "weevil-store"], &["actix-web", "sqlx"]), &[]),
            (package("weevil-e2e", &["weevil-server"], &["actix-rt", "sqlx"]), &[]),
            (package("weevil-kernels", &["naga"], &["naga"]), &[]),
            (package("weevil-cli", &["weevil-client"], &["naga", "oxc_parser", "ureq"]), &[]),
            (package("weevil-api", &["sqlxish"], &["my-actix", "sqlxish"]), &[]),
            (
                package("weevil-model", &["ureq"], &["ureq"]),
                &["ureq belongs to weevil-client and weevil-e2e only"],
            ),
            (
                package("weevil-xtask", &["helper"], &["helper", "oxc_span"]),
                &["weevil-xtask reaches oxc_span, which belongs to weevil-workflow"],
            ),
            (
                package("weevil-queue", &["weevil-protocol"], &[]),
                &["weevil-queue may not know weevil-protocol"],
            ),
            (package("weevil-server", &["sqlx"], &["sqlx"]), &["sqlx belongs to weevil-store only"]),
            (
                package("weevil-e2e", &["actix-web"], &["actix-web"]),
                &["actix-web belongs to weevil-server only"],
            ),
            (
                package("weevil-workflow", &["helper"], &["helper", "wgpu"]),
                &["weevil-workflow reaches wgpu, which belongs to weevil-gpu-wasm"],
            ),
            (package("weevil-new", &[], &[]), &["weevil-new is a member without arrows"]),
        ];
        for (package, expected) in table {
            assert_eq!(whats(package.clone()), expected, "{package:?}");
        }
    }

    #[test]
    fn finds_the_line_in_the_manifest() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nsqlx-core = \"1\"\nsqlx.workspace = true\n";
        assert_eq!(line_of(manifest, "sqlx"), 5);
        assert_eq!(line_of(manifest, "name"), 2);
        assert_eq!(line_of("[dependencies.sqlx]\n", "sqlx"), 1);
        assert_eq!(line_of(manifest, "wgpu"), 1);
    }
}
