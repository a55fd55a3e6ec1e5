//! What the root says about the run's aim: texts and a link that strangers will be shown. Never opens the link.

use crate::aim::Aim;
use crate::codes;
use crate::document::{Attribute, Element};
use crate::findings::{Findings, quoted};
use crate::limits::{MAX_LINK_CHARS, MAX_PROJECT_CHARS, MAX_QUESTION_CHARS};

pub(super) fn read(root: &Element<'_>, findings: &mut Findings<'_>) -> Aim {
    Aim {
        project: text(root, "project", MAX_PROJECT_CHARS, findings),
        question: text(root, "question", MAX_QUESTION_CHARS, findings),
        link: link(root, findings),
    }
}

fn text(root: &Element<'_>, name: &str, most: usize, findings: &mut Findings<'_>) -> Option<String> {
    let attribute = root.attribute(name)?;
    let text = line(attribute);
    let problem = match (text.chars().count(), text.chars().find(|letter| letter.is_control())) {
        (0, _) => Some(format!("`{name}` is empty")),
        (count, _) if count > most => Some(format!("`{name}` has {count} characters")),
        (_, Some(letter)) => Some(format!("`{name}` has {letter:?} in it")),
        _ => None,
    };
    let Some(problem) = problem else { return Some(text) };
    let help = format!("say it in 1 to {most} characters of one line, or leave it out");
    findings.report(&codes::BAD_AIM, attribute.value_at.clone(), problem, Some(help));
    None
}

/// The value in one line, as `xs:token` has it.
fn line(attribute: &Attribute<'_>) -> String {
    attribute.value.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn link(root: &Element<'_>, findings: &mut Findings<'_>) -> Option<String> {
    let attribute = root.attribute("link")?;
    let link = attribute.word();
    let Some(problem) = problem(link) else { return Some(link.to_owned()) };
    let message = format!("the link {} {problem}", quoted(link));
    let help = "write an address such as `https://example.org/about`, or leave it out".to_owned();
    findings.report(&codes::BAD_LINK, attribute.value_at.clone(), message, Some(help));
    None
}

/// What keeps people from being led there. Narrower than RFC 3986: every reader must see the same host, and people the
/// one that they will reach.
fn problem(link: &str) -> Option<String> {
    let Some(rest) = ["https://", "http://"].iter().find_map(|scheme| link.strip_prefix(scheme)) else {
        return Some("does not begin with `https://` or `http://`".to_owned());
    };
    // Some readers take a backslash for the end of the host.
    if let Some(letter) = rest.chars().find(|letter| !letter.is_ascii_graphic() || *letter == '\\') {
        return Some(format!("has {letter:?} in it"));
    }
    if link.len() > MAX_LINK_CHARS {
        return Some(format!("has {} characters; at most {MAX_LINK_CHARS} are allowed", link.len()));
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Some("has a user name or password in it".to_owned());
    }
    let (host, port) = authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port)));
    if host.is_empty() {
        return Some("names no host".to_owned());
    }
    let is_name = host.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'));
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    (!is_name || !is_port).then(|| format!("has {}, which is no name of a host", quoted(authority)))
}
