//! Addresses of operations, spelled in the one way that a server takes.

use std::fmt::{Display, Write};

use super::{Operation, Row};

impl Operation {
    /// The path with these in place of the names in braces, in their order; each stays one part of the path, whatever it
    /// holds (RFC 3986, section 3.3).
    pub fn path(self, parts: &[&dyn Display]) -> String {
        let Row { path, name, .. } = self.row();
        debug_assert_eq!(self.row().parts().count(), parts.len(), "{name}");
        let mut parts = parts.iter();
        let mut built = String::new();
        for part in path.split('/').skip(1) {
            built.push('/');
            if !part.starts_with('{') {
                built.push_str(part);
            } else if let Some(given) = parts.next() {
                encode(&given.to_string(), &mut built);
            }
        }
        built
    }
}

/// The `?` and what follows it, from those values that are there; empty where none is.
pub fn search(query: &[(&str, Option<&dyn Display>)]) -> String {
    let mut built = String::new();
    for (name, value) in query.iter().filter_map(|(name, value)| Some((name, (*value)?))) {
        built.push(if built.is_empty() { '?' } else { '&' });
        built.push_str(name);
        built.push('=');
        encode(&value.to_string(), &mut built);
    }
    built
}

/// Everything but unreserved characters (RFC 3986, section 2.3) as `%` and two digits.
fn encode(text: &str, built: &mut String) {
    for byte in text.bytes() {
        // Writing to a String cannot fail.
        let _infallible = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                write!(built, "{}", char::from(byte))
            }
            other => write!(built, "%{other:02X}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Does a request's path fit a row's, as the router sees it?
    fn matches(pattern: &str, path: &str) -> bool {
        let (pattern, path): (Vec<_>, Vec<_>) = (pattern.split('/').collect(), path.split('/').collect());
        let fits = |(pattern, part): (&&str, &&str)| {
            pattern == part || (pattern.starts_with('{') && !part.is_empty())
        };
        pattern.len() == path.len() && pattern.iter().zip(&path).all(fits)
    }

    #[test]
    fn each_path_is_built_and_matches_its_row_alone() {
        for operation in Operation::ALL {
            for given in ["run_0000000000001", "a/b", "..", "\u{fc} %?#"] {
                let parts: Vec<&dyn Display> = operation.row().parts().map(|_| &given as _).collect();
                let path = operation.path(&parts);
                assert!(
                    path.bytes().all(|byte| byte.is_ascii_graphic() && !b"?#{}".contains(&byte)),
                    "{path}"
                );
                let method = operation.row().method;
                let found = Operation::ALL.into_iter().filter(|other| {
                    let literal = other.row().parts().count() < parts.len();
                    other.row().method == method && !literal && matches(other.row().path, &path)
                });
                assert_eq!(found.collect::<Vec<_>>(), [operation], "{path}");
            }
        }
    }

    #[test]
    fn what_stands_in_an_address_is_one_part_of_it() {
        assert_eq!(Operation::RunResult.path(&[&"a/b"]), "/api/v1/runs/a%2Fb/result");
        assert_eq!(Operation::ShowQueue.path(&[]), "/api/v1/queue");
        let (after, limit): (&dyn Display, &dyn Display) = (&"v/j &=", &7);
        assert_eq!(
            search(&[("after", Some(after)), ("limit", Some(limit))]),
            "?after=v%2Fj%20%26%3D&limit=7"
        );
        assert_eq!(search(&[("after", None), ("limit", Some(limit))]), "?limit=7");
        assert_eq!(search(&[("after", None)]), "");
    }
}
