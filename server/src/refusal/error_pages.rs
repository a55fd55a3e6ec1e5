//! The pages of docs/errors, which travel in the binary: what a code means in a few words, and the HTML that a problem's
//! `type` leads to. `build.rs` makes them.

/// Where they are served.
const FOLDER: &str = "/docs/errors/";

/// File name, title, HTML.
type Page = (&'static str, &'static str, &'static str);

const PAGES: &[Page] = include!(concat!(env!("OUT_DIR"), "/error_pages.rs"));
const STYLE: &str = include_str!("error_pages.css");

/// What a code means; the code itself where it has no page, which a test does not let happen.
pub(super) fn title(code: &'static str) -> &'static str {
    let page = PAGES.iter().find(|(name, ..)| name.strip_suffix(".html") == Some(code));
    page.map_or(code, |(_, title, _)| title)
}

/// The page, or the style sheet of all of them, at a path.
pub(crate) fn at(path: &str) -> Option<&'static str> {
    match path.strip_prefix(FOLDER)? {
        "style.css" => Some(STYLE),
        name => {
            let name = if name.is_empty() { "index.html" } else { name };
            PAGES.iter().find(|(known, ..)| *known == name).map(|(_, _, html)| *html)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_a_page_leads_somewhere() {
        assert!(PAGES.len() > 100);
        for (name, title, html) in PAGES {
            assert!(!title.is_empty() && html.contains("<h1>"), "{name}");
            for link in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let there = at(&format!("{FOLDER}{link}")).is_some() || link.starts_with("https://");
                assert!(there, "{name} links to {link}");
            }
        }
    }

    #[test]
    fn pages_are_found_by_their_path_alone() {
        for (path, there) in [
            ("/docs/errors/", true),
            ("/docs/errors/index.html", true),
            ("/docs/errors/noSuchRun.html", true),
            ("/docs/errors/W0100.html", true),
            ("/docs/errors/noSuchRun", false),
            ("/docs/errors", false),
            ("/noSuchRun.html", false),
        ] {
            assert_eq!(at(path).is_some(), there, "{path}");
        }
        assert_eq!(title("noSuchRun"), "there is no run with this id");
    }
}
