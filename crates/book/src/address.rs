//! Where a file of the repository is served, and where a link leads that stands in it.
//!
//! Never looks at the disk.

/// The folder of the book, from the root of the repository.
pub(crate) const FOLDER: &str = "docs/";

/// Below `/docs/`: without `docs/` in front, and with the page of a folder as its index.
pub(crate) fn served(path: &str) -> String {
    let path = path.strip_prefix(FOLDER).unwrap_or(path);
    let Some(stem) = path.strip_suffix(".md") else { return path.to_owned() };
    match stem.strip_suffix("README") {
        Some(folder) => format!("{folder}index.html"),
        None => format!("{stem}.html"),
    }
}

/// The file that `link` names where it stands in the file `from`, both from the root of the repository.
pub(crate) fn named(from: &str, link: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// The way back from a served page to the book's first one.
pub(crate) fn root_from(served: &str) -> String {
    "../".repeat(served.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_served_below_the_book() {
        for (path, expected) in [
            ("docs/README.md", "index.html"),
            ("docs/gpu.md", "gpu.html"),
            ("docs/errors/README.md", "errors/index.html"),
            ("docs/errors/W0101.md", "errors/W0101.html"),
            ("docs/gang.svg", "gang.svg"),
            ("ARCHITECTURE.md", "ARCHITECTURE.html"),
            ("workflows/pi/README.md", "workflows/pi/index.html"),
        ] {
            assert_eq!(served(path), expected);
        }
    }

    #[test]
    fn links_are_read_from_where_they_stand() {
        for (from, link, expected) in [
            ("docs/gpu.md", "glossary.md", "docs/glossary.md"),
            ("docs/errors/W0101.md", "../workflows.md", "docs/workflows.md"),
            ("docs/gpu.md", "../workflows/pi/", "workflows/pi"),
            ("ARCHITECTURE.md", "./docs/adr/", "docs/adr"),
        ] {
            assert_eq!(named(from, link), expected, "{from} {link}");
        }
        assert_eq!(
            (root_from("gpu.html"), root_from("workflows/pi/index.html")),
            (String::new(), "../../".into())
        );
    }
}
