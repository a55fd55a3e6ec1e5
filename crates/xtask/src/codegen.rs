//! Writes what follows from the code: the TypeScript types of the wire, the executors' tables in ARCHITECTURE.md, the
//! tables of what jobs find. Or proves that they are the same.
//! It never decides what they say: the crates do.

use std::fs;

use clap::Args;

use crate::failure::{Done, Failure};
use crate::{job_names, paths, sh};

/// What brings the files up to date.
pub(crate) const CURE: &str = "cargo xtask codegen";

const TABLES_BEGIN: &str = "<!-- transitions: generated -->\n";
const TABLES_END: &str = "<!-- end of transitions -->";

/// A file with generated text.
struct Generated {
    /// From the root.
    file: &'static str,
    /// What it follows from.
    owner: &'static str,
    /// The whole file as it should be, from the one that is there.
    write: fn(&str) -> String,
}

const FILES: [Generated; 4] = [
    Generated {
        file: "web/src/api/types.gen.ts",
        owner: "the types of weevil-protocol",
        write: |_| weevil_protocol::typescript(),
    },
    Generated { file: "ARCHITECTURE.md", owner: "the executors of weevil-dataflow", write: with_tables },
    Generated {
        file: "docs/sandbox.md",
        owner: "web/src/volunteer/job/realm/allowed.ts",
        write: |page| between(page, job_names::BEGIN, job_names::END, &job_names::members()),
    },
    Generated {
        file: "docs/workflows.md",
        owner: "web/src/volunteer/job/realm/allowed.ts",
        write: |page| between(page, job_names::BEGIN, job_names::END, &job_names::globals()),
    },
];

/// A file that is out of date.
#[derive(Debug)]
pub(crate) struct Stale {
    pub file: &'static str,
    /// The first that differs, from 1.
    pub line: usize,
    pub owner: &'static str,
}

/// Options of `codegen`.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Write nothing; fail where a file is out of date
    #[arg(long)]
    check: bool,
}

/// The command `codegen`.
pub(crate) fn run(options: Options) -> Done {
    if !options.check {
        return FILES.iter().try_for_each(write);
    }
    match stale().first() {
        Some(Stale { file, line, owner }) => {
            Err(Failure::new(format!("{file}:{line}: differs from {owner}"), CURE))
        }
        None => Ok(()),
    }
}

/// The files that are out of date.
pub(crate) fn stale() -> Vec<Stale> {
    let difference = |generated: &Generated| {
        let found = fs::read_to_string(paths::root().join(generated.file)).unwrap_or_default();
        let line = first_difference(&found, &(generated.write)(&found))?;
        Some(Stale { file: generated.file, line, owner: generated.owner })
    };
    FILES.iter().filter_map(difference).collect()
}

fn write(generated: &Generated) -> Done {
    let path = paths::root().join(generated.file);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    fs::write(&path, (generated.write)(&found)).map_err(|error| Failure::file("write", &path, &error))?;
    sh::say(format!("{} is up to date", generated.file));
    Ok(())
}

/// The page with today's tables between its marks.
fn with_tables(page: &str) -> String {
    between(page, TABLES_BEGIN, TABLES_END, &format!("\n{}\n", weevil_dataflow::tables()))
}

/// The page with this text between its marks; a page without marks stays as it is.
fn between(page: &str, begin: &str, end: &str, text: &str) -> String {
    let parts = page.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    let Some((before, after)) = parts else { return page.to_owned() };
    format!("{before}{begin}{text}{end}{after}")
}

fn first_difference(found: &str, expected: &str) -> Option<usize> {
    if found == expected {
        return None;
    }
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_first_line_that_differs() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), Some(2));
        assert_eq!(first_difference("", "a\n"), Some(1));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    }

    #[test]
    fn tables_stand_between_their_marks_and_nowhere_else() {
        let page = format!("# Page\n{TABLES_BEGIN}old\n{TABLES_END}\nend\n");
        let written = with_tables(&page);
        assert!(written.starts_with("# Page\n") && written.ends_with("\nend\n") && !written.contains("old"));
        assert!(written.contains("PARAM_NOT_FULFILLED"));
        assert_eq!(with_tables(&written), written);
        assert_eq!(with_tables("no marks"), "no marks");
    }
}
