//! What stands around each page's text: the head, the side bar, where one is, and the pages before and behind.
//!
//! Never makes anything of the text itself.

use std::fmt::Write;

use pulldown_cmark::{CowStr, Event, HeadingLevel, html};

use crate::address::{root_from, served};
use crate::outline::Heading;
use crate::summary::{Entry, Part};

/// `docs/theme/page.html`, a text with names in double braces.
pub(crate) struct Frame<'b> {
    pub template: &'b str,
    pub parts: &'b [Part],
}

/// What a frame is filled with.
pub(crate) struct Filling<'b> {
    /// From the root of the repository.
    pub file: &'b str,
    pub title: &'b str,
    pub body: &'b str,
    pub headings: &'b [Heading],
}

impl Frame<'_> {
    pub(crate) fn fill(&self, page: &Filling<'_>) -> String {
        let root = root_from(&served(page.file));
        let values = [
            ("{{title}}", escaped(page.title)),
            ("{{contents}}", self.contents(page, &root)),
            ("{{turn}}", self.turn(page, &root)),
            ("{{root}}", root),
            // Last: nothing is looked for in what a page says.
            ("{{body}}", page.body.to_owned()),
        ];
        values.iter().fold(self.template.to_owned(), |text, (name, value)| text.replace(name, value))
    }

    fn contents(&self, page: &Filling<'_>, root: &str) -> String {
        let mut list = String::new();
        for part in self.parts {
            if !part.title.is_empty() {
                // Writing to a String cannot fail.
                let _infallible = write!(list, "<h2>{}</h2>", escaped(&part.title));
            }
            let entries = part.entries.iter().map(|entry| entry.contents(page, root));
            let _infallible = write!(list, "<ul>{}</ul>", entries.collect::<String>());
        }
        list
    }

    /// To the pages before and behind this one, where it has a place in the order.
    fn turn(&self, page: &Filling<'_>, root: &str) -> String {
        let order: Vec<&Entry> = self.parts.iter().flat_map(|part| &part.entries).collect();
        let Some(at) = order.iter().position(|entry| entry.file == page.file) else { return String::new() };
        let before = at.checked_sub(1).and_then(|before| order.get(before));
        let links = [("prev", before), ("next", order.get(at + 1))];
        let link = |(way, entry): (&str, Option<&&Entry>)| {
            let entry = entry?;
            Some(format!(
                "<a rel=\"{way}\" href=\"{root}{}\">{}</a>",
                served(&entry.file),
                escaped(&entry.title)
            ))
        };
        links.into_iter().filter_map(link).collect()
    }
}

impl Entry {
    /// With the parts of the page that is shown below it; a page that the side bar lacks belongs to its folder's.
    fn contents(&self, page: &Filling<'_>, root: &str) -> String {
        let (address, title) = (served(&self.file), escaped(&self.title));
        let folder = self.file.strip_suffix("README.md").filter(|folder| !["", "docs/"].contains(folder));
        let current = match (self.file == page.file, folder) {
            (true, _) => " aria-current=\"page\"",
            (false, Some(folder)) if page.file.starts_with(folder) => " aria-current=\"true\"",
            _ => "",
        };
        let below = if self.file == page.file { below(page.headings) } else { String::new() };
        format!("<li><a href=\"{root}{address}\"{current}>{title}</a>{below}</li>")
    }
}

fn below(headings: &[Heading]) -> String {
    let mut items = String::new();
    for heading in headings.iter().filter(|heading| heading.level == HeadingLevel::H2) {
        // Writing to a String cannot fail.
        let _infallible =
            write!(items, "<li><a href=\"#{}\">{}</a></li>", heading.anchor, escaped(&heading.text));
    }
    if items.is_empty() { items } else { format!("<ul>{items}</ul>") }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    html::push_html(&mut escaped, [Event::Text(CowStr::from(text))].into_iter());
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str, file: &str) -> String {
        let entry = |title: &str, file: &str| Entry { title: title.into(), file: file.into() };
        let parts = [
            Part { title: String::new(), entries: vec![entry("Start", "docs/README.md")] },
            Part { title: "A & B".into(), entries: vec![entry("Codes", "docs/codes/README.md")] },
        ];
        let headings = [Heading { level: HeadingLevel::H2, anchor: "two".into(), text: "Two".into() }];
        let page = Filling { file, title: "T <t>", body: "{{title}}", headings: &headings };
        Frame { template, parts: &parts }.fill(&page)
    }

    #[test]
    fn a_frame_is_filled_once() {
        for (template, file, expected) in [
            ("{{title}} {{body}}", "docs/README.md", "T &lt;t&gt; {{title}}"),
            ("{{root}}theme/book.css", "docs/codes/one.md", "../theme/book.css"),
            (
                "{{contents}}",
                "docs/README.md",
                "<ul><li><a href=\"index.html\" aria-current=\"page\">Start</a><ul><li><a href=\"#two\">Two</a></li></ul></li></ul>\
                 <h2>A &amp; B</h2><ul><li><a href=\"codes/index.html\">Codes</a></li></ul>",
            ),
            (
                "{{contents}}",
                "docs/codes/one.md",
                "<ul><li><a href=\"../index.html\">Start</a></li></ul>\
                 <h2>A &amp; B</h2><ul><li><a href=\"../codes/index.html\" aria-current=\"true\">Codes</a></li></ul>",
            ),
            ("{{turn}}", "docs/README.md", "<a rel=\"next\" href=\"codes/index.html\">Codes</a>"),
            ("{{turn}}", "docs/codes/README.md", "<a rel=\"prev\" href=\"../index.html\">Start</a>"),
            ("{{turn}}", "docs/codes/one.md", ""),
        ] {
            assert_eq!(filled(template, file), expected, "{template} {file}");
        }
    }
}
