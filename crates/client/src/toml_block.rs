//! One server's lines in `client.toml`, put in place of those that stand there. Pure text: comments and all that is somebody's
//! own stay.
//!
//! Never checks what it made: who writes it reads it first.

/// The lines of one server.
pub(crate) struct Block<'a> {
    pub name: &'a str,
    pub url: &'a str,
    pub token: Option<&'a str>,
    pub ca: Option<&'a str>,
}

/// The text with these lines; `default`: the name of the server to be asked where nobody says which, for a text that names
/// none.
pub(crate) fn edited(text: &str, block: &Block<'_>, default: Option<&str>) -> String {
    let header = format!("[servers.{}]", block.name);
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| line.trim() == header);
    let end = begin.map_or(lines.len(), |at| end_of(&lines, at));
    let before = &lines[..begin.unwrap_or(lines.len())];
    let own = begin.map_or(&[][..], |at| &lines[at + 1..end]);
    let kept = own.iter().copied().filter(|line| !sets(line));
    let mut made: Vec<String> =
        default.into_iter().map(|name| format!("default = {}", quoted(name))).collect();
    made.extend(before.iter().map(|line| (*line).to_owned()));
    if begin.is_none() && !made.is_empty() {
        made.push(String::new());
    }
    made.push(header);
    let values = [("url", Some(block.url)), ("token", block.token), ("ca", block.ca)];
    let set = |(key, value): (&str, Option<&str>)| value.map(|value| format!("{key} = {}", quoted(value)));
    made.extend(values.into_iter().filter_map(set));
    made.extend(kept.chain(lines[end..].iter().copied()).map(str::to_owned));
    made.join("\n") + "\n"
}

/// Where the lines of the table that begins at `begin` end.
fn end_of(lines: &[&str], begin: usize) -> usize {
    let next = lines[begin + 1..].iter().position(|line| line.trim_start().starts_with('['));
    next.map_or(lines.len(), |next| begin + 1 + next)
}

/// Whether a line gives one of the values that a block has.
fn sets(line: &str) -> bool {
    let key = line.split_once('=').map(|(key, _)| key.trim());
    matches!(key, Some("url" | "token" | "ca"))
}

/// A basic string (TOML 1.0, "String").
fn quoted(value: &str) -> String {
    let escaped = value.chars().map(|letter| match letter {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        letter if letter.is_control() => format!("\\u{:04X}", u32::from(letter)),
        letter => letter.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_s_lines_are_replaced_and_all_else_stays() {
        let block = Block { name: "lab", url: "https://lab", token: Some("t\"\\\u{7}"), ca: None };
        let own = "[servers.lab]\nurl = \"https://lab\"\ntoken = \"t\\\"\\\\\\u0007\"\n";
        for (text, default, expected) in [
            ("", None, own.to_owned()),
            ("", Some("lab"), format!("default = \"lab\"\n\n{own}")),
            ("# mine\n", None, format!("# mine\n\n{own}")),
            (
                "# mine\n[servers.lab]\ntoken = \"old\"\n# why\nurl=\"x\"\nca = \"y\"\n\n[servers.b]\nurl = \"b\"\n",
                None,
                format!("# mine\n{own}# why\n\n[servers.b]\nurl = \"b\"\n"),
            ),
            ("[servers.lab]", None, own.to_owned()),
            ("[servers.b]\ntoken = \"b\"\n[servers.lab]", None, format!("[servers.b]\ntoken = \"b\"\n{own}")),
        ] {
            assert_eq!(edited(text, &block, default), expected, "{text}");
        }
        let without = Block { token: None, ca: Some("/ca"), ..block };
        assert_eq!(edited(own, &without, None), "[servers.lab]\nurl = \"https://lab\"\nca = \"/ca\"\n");
    }
}
