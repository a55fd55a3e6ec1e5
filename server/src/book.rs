//! The documentation, which travels in the binary: the pages of `/docs/`, and what a code means in a few words.
//! `build.rs` makes them.
//!
//! Never knows who asks.

/// Where it is served.
const FOLDER: &str = "/docs/";
/// Where a problem's `type` leads.
const ERRORS: &str = "errors/";

/// Name below the folder, title, what is sent.
type Page = (&'static str, &'static str, &'static [u8]);

const PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/book.rs"));

/// What a code means; the code itself where it has no page, which a test does not let happen.
pub(crate) fn meaning(code: &'static str) -> &'static str {
    let name = |page: &Page| page.0.strip_prefix(ERRORS).and_then(|name| name.strip_suffix(".html"));
    let page = PAGES.iter().find(|page| name(page) == Some(code));
    page.and_then(|(_, title, _)| title.split_once(": ")).map_or(code, |(_, meaning)| meaning)
}

/// Name and bytes of what is at a path.
pub(crate) fn at(path: &str) -> Option<(&'static str, &'static [u8])> {
    let name = path.strip_prefix(FOLDER)?;
    let index = if name.is_empty() || name.ends_with('/') { "index.html" } else { "" };
    let found = PAGES.iter().find(|(known, ..)| known.strip_prefix(name) == Some(index));
    found.map(|(known, _, bytes)| (*known, *bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(address: &str) -> &'static str {
        at(&format!("{FOLDER}{address}")).map_or("", |(_, bytes)| std::str::from_utf8(bytes).unwrap())
    }

    /// The address that a link of the page at `from` names, without what is inside of it.
    fn named(from: &str, link: &str) -> String {
        let mut parts: Vec<&str> = from.split('/').collect();
        parts.pop();
        for part in link.split('/') {
            match part {
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// What stands between `<` and `>`.
    fn tags(html: &str) -> impl Iterator<Item = &str> {
        html.split('<').skip(1).filter_map(|rest| Some(rest.split_once('>')?.0))
    }

    fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
        let pages = PAGES.iter().filter(|(address, ..)| address.strip_suffix(".html").is_some());
        pages.map(|(address, _, bytes)| (*address, std::str::from_utf8(bytes).unwrap()))
    }

    /// Whether the page at `from` may say so.
    fn leads_somewhere(from: &str, link: &str) -> bool {
        if link.starts_with("https://") || link == "/weevil.svg" {
            return true;
        }
        let (page, anchor) = link.split_once('#').unwrap_or((link, ""));
        let page = if page.is_empty() { from.to_owned() } else { named(from, page) };
        let found = at(&format!("{FOLDER}{page}"));
        found.is_some() && (anchor.is_empty() || text(&page).contains(&format!(" id=\"{anchor}\"")))
    }

    #[test]
    fn every_link_of_a_page_leads_somewhere() {
        assert!(pages().count() > 200);
        for (address, html) in pages() {
            assert!(html.contains("<h1 id="), "{address}");
            for tag in tags(html) {
                let link = ["href=\"", "src=\""].iter().find_map(|before| tag.split_once(before));
                let link = link.and_then(|(_, rest)| rest.split('"').next()).unwrap_or("#");
                assert!(leads_somewhere(address, link), "{address} links to {link}");
            }
        }
    }

    /// The policy of all pages would not show them.
    #[test]
    fn no_page_has_a_style_or_a_script_inside() {
        for (address, html) in pages() {
            for tag in tags(html) {
                let refused = tag.contains(" style=") || ["style", "script"].contains(&tag);
                assert!(!refused, "{address}: <{tag}>");
            }
        }
    }

    #[test]
    fn pages_are_found_by_their_path_alone() {
        for (path, there) in [
            ("/docs/", true),
            ("/docs/index.html", true),
            ("/docs/theme/book.css", true),
            ("/docs/gang.svg", true),
            ("/docs/ARCHITECTURE.html", true),
            ("/docs/errors/", true),
            ("/docs/errors/noSuchRun.html", true),
            ("/docs/errors/W0100.html", true),
            ("/docs/workflows/pi/", true),
            ("/docs/errors/noSuchRun", false),
            ("/docs/errors", false),
            ("/docs/theme/", false),
            ("/docs/gpu.md", false),
            ("/docs//", false),
            ("/noSuchRun.html", false),
        ] {
            assert_eq!(at(path).is_some(), there, "{path}");
        }
        assert_eq!(meaning("noSuchRun"), "there is no run with this id");
    }
}
