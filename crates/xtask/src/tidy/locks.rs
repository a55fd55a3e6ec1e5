//! Lock files name versions and checksums, never the address of a registry's copy.
//! It never compares versions.

use super::finding::Finding;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// All findings in the lock file at `path`; nothing where it is not a lock file.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let file = path.rsplit('/').next().unwrap_or(path);
    let (broken, cure): (fn(&str) -> bool, _) = match file {
        "Cargo.lock" => {
            (names_another_registry, "remove the source replacement and run `cargo generate-lockfile`")
        }
        "package-lock.json" => (
            names_an_address,
            "put `omit-lockfile-registry-resolved=true` into web/.npmrc and run `npm install --package-lock-only`",
        ),
        _ => return Vec::new(),
    };
    let lines = text.lines().enumerate().filter(|(_, line)| broken(line));
    lines.map(|(index, _)| Finding::new(path, index + 1, "the address of a registry", cure)).collect()
}

fn names_another_registry(line: &str) -> bool {
    line.strip_prefix("source = \"").is_some_and(|source| source.trim_end_matches('"') != CRATES_IO)
}

fn names_an_address(line: &str) -> bool {
    line.trim_start().starts_with("\"resolved\": \"http")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found() {
        let table = [
            ("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\"", 0),
            ("Cargo.lock", "source = \"registry+https://crates.example/index\"", 1),
            ("web/package-lock.json", "      \"resolved\": \"https://npm.example/vite.tgz\",", 1),
            ("web/package-lock.json", "      \"integrity\": \"sha512-x\",", 0),
            ("web/src/a.ts", "\"resolved\": \"https://npm.example\"", 0),
        ];
        for (path, line, count) in table {
            assert_eq!(check(path, line).len(), count, "{path}: {line}");
        }
    }
}
