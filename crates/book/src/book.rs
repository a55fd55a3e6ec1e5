//! The whole book: reads the folder, the pages that the summary names elsewhere, and the theme; makes all pages.
//!
//! Never writes a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::address::{FOLDER, named, root_from, served};
use crate::body::body;
use crate::frame::{Filling, Frame};
use crate::outline;
use crate::summary::{self, Part};

/// What is sent beside the pages: its name below the book, and the file from the root of the repository.
const STYLES: [(&str, &str); 3] = [
    ("theme/tokens.css", "web/src/theme.css"),
    ("theme/book.css", "docs/theme/book.css"),
    ("theme/theme.js", "docs/theme/theme.js"),
];
const TEMPLATE: &str = "docs/theme/page.html";

/// A page as it is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Below `/docs/`.
    pub address: String,
    pub title: String,
    pub html: String,
}

/// A book that cannot be made.
#[derive(Debug)]
pub enum Problem {
    /// A file could not be read.
    Unread { file: PathBuf, error: io::Error },
    /// The summary names a file that is not there.
    Missing { file: String },
    /// Nothing leads to a page: neither the summary nor a `README.md` beside it.
    Unnamed { file: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unread { file, error } => write!(f, "{} could not be read: {error}", file.display()),
            Self::Missing { file } => write!(f, "docs/SUMMARY.md names {file}, which is not there"),
            Self::Unnamed { file } => write!(f, "docs/SUMMARY.md does not name {file}"),
        }
    }
}

impl std::error::Error for Problem {}

/// All that is served below `/docs/`.
#[derive(Debug)]
pub struct Book {
    /// By their addresses.
    pub pages: Vec<Page>,
    /// Styles, the script and pictures: address, and the file from the root of the repository.
    pub assets: Vec<(String, String)>,
    /// Pages that lie outside of `docs/`, from the root of the repository.
    pub guests: Vec<String>,
}

impl Book {
    /// Makes the book of the repository at `root`.
    ///
    /// # Errors
    /// A file could not be read, or the summary and the folder differ.
    pub fn read(root: &Path) -> Result<Self, Problem> {
        let (parts, sources) = sources(root)?;
        let template = text(root, TEMPLATE)?;
        let frame = Frame { template: &template, parts: &parts };
        let mut pages: Vec<Page> =
            sources.iter().map(|(file, text)| page(&frame, file, text, &sources)).collect();
        pages.sort_by(|a, b| a.address.cmp(&b.address));
        let shown = |address: &str| pages.iter().any(|page| page.html.contains(&format!("{address}\"")));
        let pictures = files(root, is_picture)?.into_iter().map(|file| (served(&file), file));
        let pictures: Vec<_> = pictures.filter(|(address, _)| shown(address)).collect();
        let styles = STYLES.map(|(address, file)| (address.to_owned(), file.to_owned()));
        let guests = sources.into_keys().filter(|file| !file.starts_with(FOLDER)).collect();
        Ok(Self { pages, assets: styles.into_iter().chain(pictures).collect(), guests })
    }
}

/// The parts of the summary, and the text of each page by its file.
fn sources(root: &Path) -> Result<(Vec<Part>, BTreeMap<String, String>), Problem> {
    let parts = summary::read(&text(root, summary::FILE)?);
    let mut files = files(root, |file| has_ending(file, &["md"]))?;
    files.remove(summary::FILE);
    let listed: BTreeSet<&str> =
        parts.iter().flat_map(|part| &part.entries).map(|entry| entry.file.as_str()).collect();
    if let Some(file) = files.iter().find(|file| !listed.contains(file.as_str()) && !is_beside(file, &listed))
    {
        return Err(Problem::Unnamed { file: file.clone() });
    }
    if let Some(file) = listed.iter().find(|file| !root.join(file).is_file()) {
        return Err(Problem::Missing { file: (*file).to_owned() });
    }
    files.extend(listed.into_iter().map(str::to_owned));
    let read = files.into_iter().map(|file| {
        let text = text(root, &file)?;
        Ok((file, text))
    });
    let sources = read.collect::<Result<_, Problem>>()?;
    Ok((parts, sources))
}

/// Whether a page lies in a folder whose own page is listed, and leads to all of them.
fn is_beside(file: &str, listed: &BTreeSet<&str>) -> bool {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    folder != FOLDER.trim_end_matches('/') && listed.contains(&*format!("{folder}/README.md"))
}

/// Where the links of one page lead.
struct Links<'b> {
    file: &'b str,
    root: String,
    sources: &'b BTreeMap<String, String>,
}

impl Links<'_> {
    /// Where a link is served; nothing for what is only in the repository.
    fn leads(&self, to: &str) -> Option<String> {
        if to.starts_with("https://") || to.starts_with('#') {
            return Some(to.to_owned());
        }
        let (path, anchor) = to.split_at(to.find('#').unwrap_or(to.len()));
        let target = named(self.file, path);
        if is_picture(&target) {
            return Some(format!("{}{}", self.root, served(&target)));
        }
        let index = format!("{target}/README.md");
        let page = [target, index].into_iter().find(|file| self.sources.contains_key(file))?;
        Some(format!("{}{}{anchor}", self.root, served(&page)))
    }
}

fn is_picture(file: &str) -> bool {
    file.starts_with(FOLDER) && has_ending(file, &["svg", "png"])
}

fn has_ending(file: &str, endings: &[&str]) -> bool {
    file.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

fn page(frame: &Frame<'_>, file: &str, text: &str, sources: &BTreeMap<String, String>) -> Page {
    let address = served(file);
    let links = Links { file, root: root_from(&address), sources };
    let made = body(text, |to| links.leads(to));
    let title = outline::title(text).unwrap_or_else(|| address.clone());
    let html = frame.fill(&Filling { file, title: &title, body: &made.html, headings: &made.headings });
    Page { address, title, html }
}

/// The files below the folder of the book that `wanted` takes, from the root of the repository.
fn files(root: &Path, wanted: impl Fn(&str) -> bool) -> Result<BTreeSet<String>, Problem> {
    let mut files = BTreeSet::new();
    let mut folders = vec![PathBuf::from(FOLDER)];
    while let Some(folder) = folders.pop() {
        let whole = root.join(&folder);
        let unread = |error| Problem::Unread { file: whole.clone(), error };
        for entry in fs::read_dir(&whole).map_err(unread)? {
            let entry = entry.map_err(unread)?;
            let path = folder.join(entry.file_name());
            let name = path.to_string_lossy().into_owned();
            if entry.file_type().map_err(unread)?.is_dir() {
                folders.push(path);
            } else if wanted(&name) {
                files.insert(name);
            }
        }
    }
    Ok(files)
}

fn text(root: &Path, file: &str) -> Result<String, Problem> {
    let file = root.join(file);
    fs::read_to_string(&file).map_err(|error| Problem::Unread { file, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with these files beside a theme.
    fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (file, text) in [(TEMPLATE, "{{root}} {{body}}")].iter().chain(files) {
            let file = root.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        root
    }

    #[test]
    fn pages_are_made_of_the_folder_and_of_what_the_summary_names() {
        let root = repository(&[
            ("docs/SUMMARY.md", "[Start](README.md)\n- [Codes](codes/README.md)\n- [Two](../TWO.md)\n"),
            ("docs/README.md", "# Start\n[a](../TWO.md#b) [c](codes/) [d](../server/main.rs) ![e](e.svg)\n"),
            ("docs/codes/README.md", "# Codes\n"),
            ("docs/codes/one.md", "# One `1`\n[f](../README.md)\n"),
            ("docs/e.svg", "<svg/>"),
            ("docs/shown-by-nobody.svg", "<svg/>"),
            ("TWO.md", "# Two\n"),
        ]);
        let book = Book::read(root.path()).unwrap();
        let addresses: Vec<_> = book.pages.iter().map(|page| page.address.as_str()).collect();
        assert_eq!(addresses, ["TWO.html", "codes/index.html", "codes/one.html", "index.html"]);
        assert_eq!(book.guests, ["TWO.md"]);
        assert_eq!(book.assets.last().unwrap(), &("e.svg".to_owned(), "docs/e.svg".to_owned()));
        assert_eq!(book.pages[2].title, "One 1");
        assert!(book.pages[2].html.contains("<a href=\"../index.html\">f</a>"), "{}", book.pages[2].html);
        for link in ["\"TWO.html#b\"", "\"codes/index.html\"", "\"e.svg\"", "</a> d <img"] {
            assert!(book.pages[3].html.contains(link), "{link}: {}", book.pages[3].html);
        }
    }

    #[test]
    fn a_summary_that_differs_from_the_folder_is_a_problem() {
        for (summary, expected) in [
            ("[Start](README.md)", "docs/SUMMARY.md does not name docs/codes/one.md"),
            (
                "[Start](README.md)\n[One](codes/one.md)\n[Two](two.md)",
                "docs/SUMMARY.md names docs/two.md, which is not there",
            ),
        ] {
            let root = repository(&[
                ("docs/SUMMARY.md", summary),
                ("docs/README.md", "# Start\n"),
                ("docs/codes/one.md", "# One\n"),
            ]);
            assert_eq!(Book::read(root.path()).unwrap_err().to_string(), expected);
        }
    }
}
