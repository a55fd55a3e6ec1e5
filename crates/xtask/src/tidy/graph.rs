//! Reads the packages of the workspace and what each of them needs, from `cargo metadata`.
//! It never judges them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// A member of the workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    /// Path of its Cargo.toml from the root.
    pub(super) manifest: String,
    /// Names in its own Cargo.toml, of all kinds of dependency.
    pub(super) direct: BTreeSet<String>,
    /// Names of everything it reaches, directly or not.
    pub(super) reached: BTreeSet<String>,
}

/// All members, for all platforms.
pub(super) fn read() -> Done<Vec<Package>> {
    let cure = "mend the Cargo.toml that the message names";
    let json = sh::output(sh::cargo().args(["metadata", "--format-version", "1"]), cure)?;
    let metadata: Value = serde_json::from_str(&json)
        .map_err(|error| Failure::new(format!("cargo metadata cannot be read: {error}"), cure))?;
    Ok(members(&metadata, &format!("{}/", paths::root().display())))
}

fn members(metadata: &Value, root: &str) -> Vec<Package> {
    let names: BTreeMap<_, _> =
        list(&metadata["packages"]).map(|it| (text(&it["id"]), text(&it["name"]))).collect();
    let edges: BTreeMap<_, Vec<_>> = list(&metadata["resolve"]["nodes"])
        .map(|node| (text(&node["id"]), list(&node["deps"]).map(|dep| text(&dep["pkg"])).collect()))
        .collect();
    let members: BTreeSet<_> = list(&metadata["workspace_members"]).map(text).collect();
    list(&metadata["packages"])
        .filter(|package| members.contains(text(&package["id"])))
        .map(|package| Package {
            name: text(&package["name"]).to_owned(),
            manifest: text(&package["manifest_path"]).trim_start_matches(root).to_owned(),
            direct: list(&package["dependencies"]).map(|dep| text(&dep["name"]).to_owned()).collect(),
            reached: reached(text(&package["id"]), &edges)
                .into_iter()
                .filter_map(|id| names.get(id).map(|name| (*name).to_owned()))
                .collect(),
        })
        .collect()
}

fn reached<'a>(from: &'a str, edges: &BTreeMap<&'a str, Vec<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(id) = open.pop() {
        let next = edges.get(id).into_iter().flatten();
        open.extend(next.copied().filter(|id| seen.insert(*id)));
    }
    seen
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_know_what_they_name_and_what_they_reach() {
        let metadata = json!({
            "packages": [
                {"id": "1", "name": "weevil-server", "manifest_path": "/r/server/Cargo.toml",
                 "dependencies": [{"name": "weevil-store"}]},
                {"id": "2", "name": "weevil-store", "manifest_path": "/r/crates/store/Cargo.toml",
                 "dependencies": [{"name": "sqlx"}]},
                {"id": "3", "name": "sqlx", "manifest_path": "/elsewhere/Cargo.toml", "dependencies": []},
            ],
            "workspace_members": ["1", "2"],
            "resolve": {"nodes": [
                {"id": "1", "deps": [{"pkg": "2"}]}, {"id": "2", "deps": [{"pkg": "3"}]}, {"id": "3", "deps": []},
            ]},
        });
        let found = members(&metadata, "/r/");
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].manifest, "server/Cargo.toml");
        assert_eq!(found[0].direct, set(&["weevil-store"]));
        assert_eq!(found[0].reached, set(&["weevil-store", "sqlx"]));
    }
}
