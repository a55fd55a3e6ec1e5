//! How long a function of Rust may be. It looks at lines as rustfmt leaves them, and at no tests.

use std::path::Path;

use super::finding::Finding;
use super::source::is_test;

/// From the line with its name to the one that closes it.
const FUNCTION_LINES: usize = 51;
/// What may stand in front of `fn`.
const BEFORE: [&str; 4] = ["const", "async", "unsafe", "extern"];

/// All findings in the file at `path`.
pub(super) fn check(path: &str, text: &str) -> Vec<Finding> {
    let rust = Path::new(path).extension().is_some_and(|extension| extension == "rs");
    if !rust || is_test(path) {
        return Vec::new();
    }
    let lines: Vec<&str> = text.lines().take_while(|line| *line != "#[cfg(test)]").collect();
    let long = (0..lines.len()).filter_map(|at| Some((at, length(lines.get(at..)?)?)));
    let long = long.filter(|(_, length)| *length > FUNCTION_LINES);
    let what = |length| format!("a function of {length} lines, {FUNCTION_LINES} are the limit");
    long.map(|(at, length)| Finding::new(path, at + 1, what(length), "split it by what it decides")).collect()
}

/// Lines of the function that begins here, if one does and has a body.
fn length(lines: &[&str]) -> Option<usize> {
    let (first, rest) = lines.split_first()?;
    let name = first.trim_start();
    if !is_function(name) || first.ends_with('}') {
        return None;
    }
    let indent = first.get(..first.len() - name.len())?;
    let own = |line: &str| line.strip_prefix(indent).is_some_and(|rest| !rest.starts_with(' '));
    let ends = |line: &str| own(line) && (line.ends_with('}') || line.ends_with(';'));
    let at = rest.iter().position(|line| ends(line))?;
    (!first.ends_with(';') && rest.get(at)?.ends_with('}')).then_some(at + 2)
}

fn is_function(line: &str) -> bool {
    let mut words = line.split(' ').skip_while(|word| word.starts_with("pub") || BEFORE.contains(word));
    words.next() == Some("fn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_function_is_found_at_its_name() {
        let body = |count: usize| "    x;\n".repeat(count);
        let deep = |text: String| text.lines().map(|line| ["    ", line, "\n"].concat()).collect::<String>();
        for (text, found) in [
            (format!("fn a() {{\n{}}}\n", body(49)), 0),
            (format!("\npub(crate) const fn a() {{\n{}}}\n", body(50)), 2),
            (format!("async fn a(\n    b: u8,\n) {{\n{}}}\n", body(48)), 1),
            (format!("impl A {{\n{}}}\n", deep(format!("fn a() {{\n{}}}\n", body(50)))), 2),
            (format!("trait A {{\n    fn a(\n        &self,\n    ) -> u8;\n{}}}\n", body(60)), 0),
            (format!("fn a() {{}}\nstruct B {{\n{}}}\n", body(60)), 0),
            (format!("#[cfg(test)]\nfn a() {{\n{}}}\n", body(60)), 0),
        ] {
            let lines: Vec<usize> = check("a.rs", &text).iter().map(|finding| finding.line).collect();
            assert_eq!(lines, Vec::from_iter((found > 0).then_some(found)), "{text}");
        }
        assert!(check("a/tests/b.rs", &format!("fn a() {{\n{}}}\n", body(60))).is_empty());
    }
}
