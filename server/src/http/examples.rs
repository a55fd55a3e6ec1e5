//! The shipped workflows, which the binary brings along: listed, and run by whoever has nothing of their own yet.
//!
//! An example is an upload like any other from here on.

use std::collections::BTreeMap;

use actix_web::web;
use rust_embed::RustEmbed;
use weevil_api::ExampleView;

use crate::refusal::Refusal;

#[derive(RustEmbed)]
#[folder = "../workflows"]
struct Shipped;

/// What tells people of a workflow, and is no part of it.
const README: &str = "README.md";
/// What a run of it is to come to, and is no part of it either.
const EXPECTED: &str = "expected.json";

pub(super) async fn list() -> web::Json<Vec<ExampleView>> {
    web::Json(names().into_iter().map(view).collect())
}

/// In the order of their names.
fn names() -> Vec<String> {
    let files = Shipped::iter().filter_map(|path| Some(path.split_once('/')?.0.to_owned()));
    let mut names: Vec<String> = files.collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn view(name: String) -> ExampleView {
    let readme = Shipped::get(&format!("{name}/{README}")).map(|file| file.data).unwrap_or_default();
    let about = first_sentence(&String::from_utf8_lossy(&readme));
    let files = files_of(&name).into_keys().collect();
    ExampleView { name, about, files }
}

/// What stands below the heading, up to the end of its first sentence.
fn first_sentence(readme: &str) -> String {
    let paragraph = readme.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |end| end + 1);
    paragraph[..end].replace('`', "")
}

/// The files of an example, as somebody would upload them.
///
/// # Errors
/// There is none of this name.
pub(super) fn find(name: &str) -> Result<BTreeMap<String, Vec<u8>>, Refusal> {
    let files = files_of(name);
    if files.is_empty() {
        return Err(Refusal::NoSuchExample(names().join(", ")));
    }
    Ok(files)
}

fn files_of(name: &str) -> BTreeMap<String, Vec<u8>> {
    let below = |path: &str| Some(path.strip_prefix(name)?.strip_prefix('/')?.to_owned());
    let own =
        Shipped::iter().filter_map(|path| Some((below(&path)?, Shipped::get(&path)?.data.into_owned())));
    own.filter(|(path, _)| path != README && path != EXPECTED).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shipped_workflow_is_an_example_that_runs() {
        assert_eq!(names(), ["add", "flops", "pi", "saxpy", "webcl-add"]);
        for example in names().into_iter().map(view) {
            let bundle = weevil_workflow::Bundle::new(find(&example.name).unwrap()).unwrap();
            assert!(weevil_workflow::load(&bundle).is_ok(), "{example:?}");
            assert!(!example.files.contains(&README.to_owned()), "{example:?}");
            let is_plain = !example.about.contains(['`', '[', '\n']) && example.about.ends_with('.');
            assert!(is_plain, "{example:?}");
        }
    }

    #[test]
    fn what_is_no_example_is_told_those_that_there_are() {
        for name in ["", "pi/", "../workflows/pi", "p", "nothing"] {
            let told = find(name).unwrap_err().to_string();
            assert!(told.contains("add, flops, pi"), "{name}: {told}");
        }
    }
}
