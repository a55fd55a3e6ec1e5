//! Rebuilds the server when the pages it embeds have changed: a new file name is invisible to the compiler. And makes the
//! documentation, which every refusal names a page of.
//!
//! Never writes outside of Cargo's own folder.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use weevil_book::Book;

/// The root of the repository.
const ROOT: &str = "..";

fn main() -> Result<(), Box<dyn Error>> {
    let book = Book::read(Path::new(ROOT))?;
    let assets = book.assets.iter().map(|(_, file)| file.as_str());
    for input in ["web/dist", "docs"].into_iter().chain(assets).chain(book.guests.iter().map(String::as_str))
    {
        println!("cargo:rerun-if-changed={ROOT}/{input}");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut rows = String::new();
    for page in &book.pages {
        let path = out.join(page.address.replace('/', "-"));
        fs::write(&path, &page.html)?;
        let file = path.display().to_string();
        writeln!(rows, "    ({:?}, {:?}, include_bytes!({file:?})),", page.address, page.title)?;
    }
    for (address, file) in &book.assets {
        let file = fs::canonicalize(Path::new(ROOT).join(file))?.display().to_string();
        writeln!(rows, "    ({address:?}, \"\", include_bytes!({file:?})),")?;
    }
    fs::write(out.join("book.rs"), format!("&[\n{rows}]\n"))?;
    Ok(())
}
