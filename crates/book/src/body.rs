//! The HTML of one page's text: headings that can be linked to, links to other pages as they are served, tables that
//! scroll.
//!
//! Never lets HTML of the text through, and writes no style: columns of numbers have a class.

use pulldown_cmark::{Alignment, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd, html};

use crate::outline::{self, Heading};

/// A head over nothing is a cell: screen readers would read it out before each cell below.
const EMPTY_HEADS: [(&str, &str); 2] =
    [("<th></th>", "<td></td>"), ("<th class=\"number\"></th>", "<td class=\"number\"></td>")];

/// A page's text as HTML, with its headings.
pub(crate) struct Body {
    pub html: String,
    pub headings: Vec<Heading>,
}

/// `leads` answers where a link is served, and nothing for what is only in the repository: that stays text.
pub(crate) fn body(text: &str, leads: impl Fn(&str) -> Option<String>) -> Body {
    let parser = || Parser::new_ext(text, Options::ENABLE_TABLES);
    let headings = outline::headings(parser());
    let mut writer = Writer { anchors: headings.iter(), ends: Vec::new(), table: Table::default(), leads };
    let mut html = String::new();
    html::push_html(&mut html, parser().filter_map(|event| writer.written(event)));
    Body { html: EMPTY_HEADS.iter().fold(html, |html, (head, cell)| html.replace(head, cell)), headings }
}

struct Writer<'h, F> {
    anchors: std::slice::Iter<'h, Heading>,
    /// For each link that is open, whether it is written as one.
    ends: Vec<bool>,
    table: Table,
    leads: F,
}

#[derive(Default)]
struct Table {
    columns: Vec<Alignment>,
    column: usize,
    in_head: bool,
}

impl<F: Fn(&str) -> Option<String>> Writer<'_, F> {
    fn written<'t>(&mut self, event: Event<'t>) -> Option<Event<'t>> {
        match event {
            Event::Start(Tag::Link { dest_url, title, .. }) => self.link(&dest_url, title),
            Event::End(TagEnd::Link) => self.ends.pop()?.then_some(event),
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from((self.leads)(&dest_url)?);
                Some(Event::Start(Tag::Image { link_type, dest_url, title, id }))
            }
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = self.anchors.next().map(|heading| CowStr::from(heading.anchor.clone()));
                Some(Event::Start(Tag::Heading { level, id, classes, attrs }))
            }
            // Marks for who writes a part of the page; other HTML nobody writes, so what looks like it is text.
            Event::Html(text) if text.trim_start().starts_with("<!--") => None,
            Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
            other => Some(self.table.written(other)),
        }
    }

    fn link<'t>(&mut self, to: &str, title: CowStr<'t>) -> Option<Event<'t>> {
        let there = (self.leads)(to);
        self.ends.push(there.is_some());
        let dest_url = CowStr::from(there?);
        let id = CowStr::Borrowed("");
        Some(Event::Start(Tag::Link { link_type: LinkType::Inline, dest_url, title, id }))
    }
}

impl Table {
    fn written<'t>(&mut self, event: Event<'t>) -> Event<'t> {
        match event {
            Event::Start(Tag::Table(columns)) => {
                self.columns = columns;
                Event::Html("<div class=\"table\" tabindex=\"0\"><table>".into())
            }
            Event::End(TagEnd::Table) => Event::Html("</tbody></table></div>\n".into()),
            Event::Start(Tag::TableHead) => self.row(true, event),
            Event::Start(Tag::TableRow) => self.row(false, event),
            Event::Start(Tag::TableCell) => Event::Html(self.cell().into()),
            Event::End(TagEnd::TableCell) => Event::Html(if self.in_head { "</th>" } else { "</td>" }.into()),
            other => other,
        }
    }

    fn row<'t>(&mut self, in_head: bool, event: Event<'t>) -> Event<'t> {
        (self.column, self.in_head) = (0, in_head);
        event
    }

    fn cell(&mut self) -> String {
        let numbers = self.columns.get(self.column) == Some(&Alignment::Right);
        self.column += 1;
        let name = if self.in_head { "th" } else { "td" };
        if numbers { format!("<{name} class=\"number\">") } else { format!("<{name}>") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(text: &str) -> String {
        body(text, |to| (to != "../src/main.rs").then(|| format!("at:{to}"))).html
    }

    #[test]
    fn texts_become_what_the_policy_allows() {
        for (text, expected) in [
            ("# A `b`", "<h1 id=\"a-b\">A <code>b</code></h1>\n"),
            ("[a *b*](c.md)", "<p><a href=\"at:c.md\">a <em>b</em></a></p>\n"),
            ("[a](../src/main.rs) b", "<p>a b</p>\n"),
            ("![a](b.svg)", "<p><img src=\"at:b.svg\" alt=\"a\" /></p>\n"),
            ("<!-- mark -->\n\na <b onclick=\"c()\">", "<p>a &lt;b onclick=\"c()\"&gt;</p>\n"),
            (
                "| | b |\n|---|--:|\n| c | 1 |\n",
                "<div class=\"table\" tabindex=\"0\"><table><thead><tr><td></td><th class=\"number\">b</th></tr></thead><tbody>\n\
                 <tr><td>c</td><td class=\"number\">1</td></tr>\n</tbody></table></div>\n",
            ),
        ] {
            assert_eq!(html(text), expected, "{text}");
        }
    }
}
