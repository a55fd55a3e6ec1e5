//! Makes the documentation as files, to be read without a server, and says what is wrong with its order.
//! It never decides what a page looks like: `weevil-book` does, which the server's build uses too.

use std::fs;

use weevil_book::Book;

use crate::failure::{Done, Failure};
use crate::{paths, sh};

/// The command `docs`.
pub(crate) fn run() -> Done {
    let root = paths::root();
    let book = Book::read(&root).map_err(|problem| {
        Failure::new(problem.to_string(), "name each page of docs/ once in docs/SUMMARY.md")
    })?;
    let folder = paths::target().join("docs");
    let put = |address: &str, bytes: &[u8]| {
        let file = folder.join(address);
        let parent = file.parent().unwrap_or(&folder);
        fs::create_dir_all(parent).map_err(|error| Failure::file("create", parent, &error))?;
        fs::write(&file, bytes).map_err(|error| Failure::file("write", &file, &error))
    };
    for page in &book.pages {
        put(&page.address, page.html.as_bytes())?;
    }
    for (address, file) in &book.assets {
        let file = root.join(file);
        put(address, &fs::read(&file).map_err(|error| Failure::file("read", &file, &error))?)?;
    }
    sh::say(format!("{} pages: {}", book.pages.len(), folder.join("index.html").display()));
    Ok(())
}
