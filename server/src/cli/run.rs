//! `weevil run`: a folder or a document becomes an upload; with `--wait` the result becomes output and exit code.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use weevil_model::limits::{MAX_BUNDLE_BYTES, MAX_BUNDLE_FILES};
use weevil_model::{ContentHash, RunState};
use weevil_protocol::api::{RunCreated, RunResult};

use super::ask::Server;
use super::{Outcome, result};

/// How often a waiting command looks.
const POLL_EVERY: Duration = Duration::from_millis(200);

#[derive(Debug, Args)]
pub(super) struct Run {
    /// A workflow's folder, or its XML document (its folder comes along).
    path: PathBuf,
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Wait for the end and print the result.
    #[arg(long)]
    wait: bool,
    /// Print one JSON object with `run`, `state` and, once there is one, `result`.
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(super) fn execute(self) -> Outcome {
        self.ask().unwrap_or_else(Outcome::CouldNot)
    }

    fn ask(&self) -> Result<Outcome, String> {
        let (name, files) = read(&self.path)?;
        let (content_type, body) = multipart(&name, &files);
        let server = Server::new(&self.server);
        let created: RunCreated = server.post("/api/v1/runs", &content_type, &body)?;
        for warning in &created.warnings {
            eprintln!("{}:{}:{}: warning: {}", warning.file, warning.line, warning.column, warning.message);
        }
        if self.wait {
            return Ok(result::print(&wait(&server, &created.run)?, self.json));
        }
        if self.json {
            let started = RunResult { run: created.run, state: RunState::Started, result: None, error: None };
            return Ok(result::print(&started, true));
        }
        println!("{}", created.run);
        Ok(Outcome::Done)
    }
}

fn wait(server: &Server, run: &str) -> Result<RunResult, String> {
    loop {
        let found: RunResult = server.get(&format!("/api/v1/runs/{run}/result"))?;
        if found.state.is_terminal() {
            return Ok(found);
        }
        std::thread::sleep(POLL_EVERY);
    }
}

type Files = Vec<(String, Vec<u8>)>;

/// The workflow's name and files: a folder with everything in it, or a document together with its folder.
fn read(path: &Path) -> Result<(String, Files), String> {
    let found = path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let (folder, document) = if found.is_dir() {
        (found.as_path(), None)
    } else {
        (found.parent().unwrap_or(&found), found.file_name().and_then(|name| name.to_str()))
    };
    let mut files = Files::new();
    collect(folder, "", &mut files)?;
    if let Some(document) = document {
        // Other documents of the folder would make it unclear which one is meant.
        files.retain(|(path, _)| path == document || path.contains('/') || !is_document(path));
    }
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("workflow");
    Ok((name.to_owned(), files))
}

fn is_document(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"))
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) -> Result<(), String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        let name =
            entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let kind = entry.file_type().map_err(fail)?;
        let path = format!("{prefix}{name}");
        // Hidden files and links are the author's own business.
        if name.starts_with('.') || kind.is_symlink() {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, fs::read(entry.path()).map_err(fail)?));
        }
        bounded(files)?;
    }
    Ok(())
}

fn bounded(files: &Files) -> Result<(), String> {
    let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    if files.len() > MAX_BUNDLE_FILES || bytes > MAX_BUNDLE_BYTES {
        let most = format!("at most {MAX_BUNDLE_FILES} files and {MAX_BUNDLE_BYTES} bytes");
        return Err(format!(
            "the folder is no workflow: {most} are allowed; name the folder of one workflow"
        ));
    }
    Ok(())
}

/// RFC 7578. The boundary follows from the content, so that it cannot stand in it by accident.
fn multipart(name: &str, files: &Files) -> (String, Vec<u8>) {
    let parts = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()));
    let boundary = format!("weevil-{}", ContentHash::of_parts(parts));
    let head = format!("--{boundary}\r\ncontent-disposition: form-data; name=\"name\"\r\n\r\n{name}\r\n");
    let mut body = head.into_bytes();
    for (path, bytes) in files {
        let path = path.replace('\\', "\\\\").replace('"', "\\\"");
        let head = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"{path}\"\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    (format!("multipart/form-data; boundary={boundary}"), body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_brings_its_folder_but_no_other_document() {
        let folder = tempfile::TempDir::new().unwrap();
        let write = |path: &str| fs::write(folder.path().join(path), path).unwrap();
        fs::create_dir(folder.path().join("lib")).unwrap();
        for path in ["one.xml", "two.xml", "Add.js", ".hidden", "lib/Sub.js"] {
            write(path);
        }
        let paths = |path: &Path| {
            let mut paths: Vec<String> = read(path).unwrap().1.into_iter().map(|file| file.0).collect();
            paths.sort();
            paths
        };
        assert_eq!(paths(&folder.path().join("one.xml")), ["Add.js", "lib/Sub.js", "one.xml"]);
        assert_eq!(paths(folder.path()), ["Add.js", "lib/Sub.js", "one.xml", "two.xml"]);
        assert!(read(Path::new("/no/such/place")).is_err());
    }
}
