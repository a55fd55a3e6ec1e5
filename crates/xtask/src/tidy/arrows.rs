//! The borders between the crates: who may depend on whom, and which library belongs to whom.
//! It never reads the disk; the graph and the manifests are handed in.

use super::Finding;
use super::graph::Package;

/// Each member and the members it may name in its Cargo.toml.
const ARROWS: [(&str, &[&str]); 19] = [
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
    ("weevil-cli", &["weevil-api", "weevil-client", "weevil-kernels", "weevil-model", "weevil-workflow"]),
    ("weevil-kernels", &["weevil-model"]),
    ("weevil-peer", &["weevil-model"]),
    (
        "weevil-store",
        &["weevil-failpoint", "weevil-mariadb", "weevil-model", "weevil-queue", "weevil-records"],
    ),
    ("weevil-worker-wasm", &["weevil-model", "weevil-protocol"]),
    ("weevil-gpu-wasm", &[]),
    ("weevil-xtask", &["weevil-api", "weevil-dataflow", "weevil-protocol"]),
    ("weevil-server", &LIBRARIES),
    ("weevil-e2e", &HARNESS),
];

const LIBRARIES: [&str; 13] = [
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
];

const HARNESS: [&str; 15] = [
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
    "weevil-server",
];

/// A library that belongs to one member.
struct Fence {
    /// The library's name, or what its family's names begin with before a `-`.
    library: &'static str,
    /// The only member that may name it.
    owner: &'static str,
    /// Members that may reach it through the owner.
    through: &'static [&'static str],
}

const FENCES: [Fence; 3] = [
    Fence { library: "actix", owner: "weevil-server", through: &["weevil-e2e"] },
    Fence { library: "sqlx", owner: "weevil-store", through: &["weevil-server", "weevil-e2e"] },
    Fence { library: "wgpu", owner: "weevil-gpu-wasm", through: &[] },
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
    if package.name == fence.owner {
        return;
    }
    let owner = fence.owner;
    if let Some(named) = package.direct.iter().find(|name| fence.holds(name)) {
        report(named, format!("{named} belongs to {owner} only"), format!("move what needs it to {owner}"));
    } else if !fence.through.contains(&package.name.as_str())
        && let Some(reached) = package.reached.iter().find(|name| fence.holds(name))
    {
        let cure = format!("`cargo tree -p {} -i {reached}` shows the way: cut it", package.name);
        report(reached, format!("{} reaches {reached}, which belongs to {owner}", package.name), cure);
    }
}

impl Fence {
    fn holds(&self, name: &str) -> bool {
        name.strip_prefix(self.library).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
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
    use std::collections::BTreeSet;

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
        let table: [(Package, &[&str]); 9] = [
            (package("weevil-store", &["weevil-queue", "sqlx"], &["sqlx", "sqlx-core"]), &[]),
            (package("weevil-server", &["actix-web", "weevil-store"], &["actix-web", "sqlx"]), &[]),
            (package("weevil-e2e", &["weevil-server"], &["actix-rt", "sqlx"]), &[]),
            (package("weevil-kernels", &["naga"], &["naga"]), &[]),
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
                package("weevil-workflow", &["helper"], &["helper", "wgpu-types"]),
                &["weevil-workflow reaches wgpu-types, which belongs to weevil-gpu-wasm"],
            ),
            (package("weevil-new", &[], &[]), &["weevil-new is a member without arrows"]),
        ];
        for (package, expected) in table {
            assert_eq!(whats(package.clone()), expected, "{package:?}");
        }
    }

    #[test]
    fn a_family_is_its_name_or_its_name_and_a_dash() {
        let actix = &FENCES[0];
        assert!(actix.holds("actix") && actix.holds("actix-ws"));
        assert!(!actix.holds("actixish") && !actix.holds("my-actix"));
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
