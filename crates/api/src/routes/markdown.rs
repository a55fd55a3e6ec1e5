//! The table of routes in docs/protocol.md.

use ts_rs::Config;

use super::row::{Answer, Content, Row};
use super::{Class, Operation};

const HEAD: &str =
    "| route | for | face | right | rate | answers | refuses | |\n|---|---|---|---|---|---|---|---|\n";

/// A line of Markdown for each row, below a head.
pub fn routes_markdown() -> String {
    Operation::ALL.into_iter().fold(HEAD.to_owned(), |page, operation| page + &line(operation.row()))
}

fn line(row: &Row) -> String {
    let Row { method, path, class, face, access, fresh, rate, query, answers, refusals, about, .. } = row;
    let query: Vec<_> = query.iter().map(|parameter| parameter.name).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let mut told: Vec<String> = answers.iter().map(answer).collect();
    told.dedup();
    let refusals: Vec<_> = refusals.iter().map(|code| format!("`{code}`")).collect();
    let (method, class, told) = (method.as_str(), Class::as_str(*class), told.join(", "));
    let access = format!("{}{}", access.as_str(), if *fresh { ", fresh" } else { "" });
    let (rate, refusals) = (rate.as_str(), refusals.join(" "));
    format!(
        "| `{method} {path}{query}` | {class} | {face} | {access} | {rate} | {told} | {refusals} | {about} |\n"
    )
}

fn answer(answer: &Answer) -> String {
    let Answer { status, content } = answer;
    match content {
        Content::Json(named) => {
            let name = named(&Config::default());
            match name.strip_prefix("Array<").and_then(|name| name.strip_suffix('>')) {
                Some(element) => format!("{status} list of `{element}`"),
                None => format!("{status} `{name}`"),
            }
        }
        Content::Document => format!("{status} JSON"),
        Content::Text => format!("{status} text"),
        Content::Bytes => format!("{status} bytes"),
        Content::Events => format!("{status} events"),
        Content::Xml => format!("{status} XML"),
        Content::Frames => format!("{status} frames"),
        Content::Nothing => status.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::routes_markdown;

    #[test]
    fn a_line_names_route_rights_and_answers() {
        let page = routes_markdown();
        for line in [
            "| `GET /readyz` | watcher | public | open |  | 200 text | `notReady` | ",
            "| `GET /api/v1/runs?project&q&state&workflow&createdAfter&createdBefore&sort&after&limit` | researcher | private | runs:read | read | 200 `RunPage` | `badId` ",
            "| `POST /api/v1/jobs?project` | researcher | private | jobs:write | submit | 201 `JobKept`, 200 `JobKept`, 200 list of `JobKept` | `badMediaType` ",
            "| `GET /api/v1/jobs?project&queue&q&state&failed&sort&after&limit` | researcher | private | jobs:read | read | 200 `JobPage` | ",
        ] {
            assert!(page.contains(line), "{line} is missing in\n{page}");
        }
    }
}
