//! Every command and snippet of the documentation runs, in the order of its page, in a folder of its own, with one server
//! and one volunteer for all pages. What cannot run stands in a table, with the reason.
//!
//! A fence may name the file that its block shows (` ```js add/Add.js `): commands below find it there. `weevil serve` is
//! asked whether it would take its settings, since a server is there.

mod checks;
mod scripts;
mod table;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use weevil_e2e::{Block, Browser, TestServer, blocks};

use scripts::Workplace;
use table::Exceptions;

/// What is looked at.
const LANGUAGES: [&str; 8] = ["sh", "xml", "js", "c", "rust", "wgsl", "toml", "http"];

/// A page, named from the root of the repository.
pub(crate) struct Page {
    pub name: String,
    pub blocks: Vec<Block>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// README.md, and all pages of docs, workflows and examples.
fn pages() -> Vec<Page> {
    let mut names = BTreeSet::from(["README.md".to_owned()]);
    let mut folders: Vec<PathBuf> = ["docs", "workflows", "examples"].map(PathBuf::from).into();
    while let Some(folder) = folders.pop() {
        for entry in
            fs::read_dir(root().join(&folder)).expect("a folder").map(|entry| entry.expect("an entry"))
        {
            let path = folder.join(entry.file_name());
            if entry.file_type().expect("a type").is_dir() {
                folders.extend((entry.file_name() != "target").then_some(path));
            } else if path.extension().is_some_and(|ending| ending == "md") {
                names.insert(path.to_string_lossy().into_owned());
            }
        }
    }
    let read = |name: String| {
        let blocks = blocks(&fs::read_to_string(root().join(&name)).expect("a page"));
        Page { name, blocks }
    };
    names.into_iter().map(read).collect()
}

#[test]
fn every_command_and_snippet_of_the_pages_runs() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let _volunteer = browser.open(&server.url("/?autostart&slots=2&gpu=1"));
    server.api().await_fleet(|fleet| fleet.slots > 0);
    let mut exceptions = Exceptions::default();
    let mut wrong = Vec::new();
    for page in pages() {
        let wanted = page.blocks.iter().filter(|block| LANGUAGES.contains(&&*block.language));
        let tried: Vec<&Block> = wanted.filter(|block| !exceptions.whole(&page.name, &block.text)).collect();
        wrong.extend(tried.iter().filter_map(|block| {
            let why = checks::check(&page.name, block).err()?;
            Some(format!("{}:{}: {why}", page.name, block.line))
        }));
        if tried.iter().any(|block| block.language == "sh") {
            wrong.extend(Workplace::new(&server, &root()).follow(&page, &mut exceptions));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert_eq!(exceptions.unused(), [""; 0], "nothing on the pages is excepted by these rows");
}
