//! Rebuilds the server when the pages it embeds have changed: a new file name is invisible to the compiler. And makes HTML
//! of docs/errors, which every refusal names a page of.
//!
//! Never writes outside of Cargo's own folder.

use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs, io};

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

const PAGES: &str = "../docs/errors";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=../web/dist");
    println!("cargo:rerun-if-changed={PAGES}");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let mut rows = String::new();
    for file in pages()? {
        let text = fs::read_to_string(&file)?;
        let (heading, _) = text.split_once('\n').unwrap_or((&text, ""));
        let heading = heading.trim_start_matches("# ");
        let name = served(&file.file_stem().unwrap_or_default().to_string_lossy());
        fs::write(out.join(&name), page(heading, &text))?;
        let title = heading.split_once(": ").map_or(heading, |(_, title)| title);
        // Writing to a String cannot fail.
        let _infallible = writeln!(rows, "    ({name:?}, {title:?}, include_str!({name:?})),");
    }
    fs::write(out.join("error_pages.rs"), format!("&[\n{rows}]\n"))
}

/// In the order of their names: what is built follows from what is there alone.
fn pages() -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(PAGES)?.map(|entry| Ok(entry?.path()));
    let mut pages: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    pages.sort();
    Ok(pages)
}

/// What a page is called where it is served.
fn served(stem: &str) -> String {
    format!("{}.html", if stem == "README" { "index" } else { stem })
}

fn page(heading: &str, text: &str) -> String {
    let (mut title, mut body) = (String::new(), String::new());
    html::push_html(&mut title, [Event::Text(CowStr::from(heading.replace('`', "")))].into_iter());
    let mut ends = Vec::new();
    let events = Parser::new_ext(text, Options::ENABLE_TABLES);
    html::push_html(&mut body, events.filter_map(|event| linked(event, &mut ends)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · WeevilScout</title>\n<link rel=\"stylesheet\" href=\"style.css\">\n</head>\n\
         <body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

/// Pages beside this one are linked by the names they are served under, others only in the repository. `ends` says of each
/// link that is open whether it is one.
fn linked<'t>(event: Event<'t>, ends: &mut Vec<bool>) -> Option<Event<'t>> {
    match event {
        Event::Start(Tag::Link { dest_url, title, id, .. }) => {
            let beside = dest_url.strip_suffix(".md").filter(|stem| !stem.contains('/')).map(served);
            let whole = dest_url.starts_with("https://").then(|| dest_url.to_string());
            let there = beside.or(whole);
            ends.push(there.is_some());
            let dest_url = CowStr::from(there?);
            Some(Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, title, id }))
        }
        Event::End(TagEnd::Link) => ends.pop()?.then_some(event),
        // Nobody writes HTML there; what looks like it is text.
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        other => Some(other),
    }
}
