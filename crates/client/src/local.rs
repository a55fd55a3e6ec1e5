//! The token of a server on this machine: in which folder the server leaves it, and how it is found by the server's port.
//!
//! Never writes the file and never asks whether the token is right: the server does both.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::Origin;

/// What a server says of itself to the people who own its process, as JSON.
#[expect(missing_debug_implementations, reason = "a secret is never printed")]
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LocalServer {
    /// Where it answers on this machine.
    pub url: String,
    /// What proves that somebody can read this file: all rights, for as long as this server runs.
    pub token: String,
    pub pid: u32,
    /// Milliseconds since 1970.
    pub started_at: i64,
}

impl LocalServer {
    /// The name of its file.
    pub fn file_name(port: u16) -> String {
        format!("{port}.json")
    }
}

/// The folders that hold such files, the one that a server takes first; `variable` is the environment. Never one that is
/// shared: without any of these variables there is none.
pub fn folders(variable: impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let path = |name: &str| variable(name).map(PathBuf::from);
    // Several are parted by colons (systemd.exec(5), RuntimeDirectory=).
    let first = |paths: PathBuf| std::env::split_paths(&paths).next();
    let named = [
        path("WEEVIL_RUNTIME_DIR"),
        path("RUNTIME_DIRECTORY").and_then(first),
        path("XDG_RUNTIME_DIR").map(|folder| folder.join("weevil")),
        path("HOME").map(|home| home.join(".local/state/weevil")),
    ];
    named.into_iter().flatten().filter(|folder| folder.is_absolute()).collect()
}

/// Where the token of one server lies, if it is a server of this machine.
#[derive(Debug, Clone)]
pub(crate) struct LocalToken {
    port: u16,
    folders: Vec<PathBuf>,
}

impl LocalToken {
    /// Nothing for an address that may lead to another machine.
    pub(crate) fn of(origin: &Origin, folders: Vec<PathBuf>) -> Option<Self> {
        let here = origin.is_loopback() && !origin.is_https();
        here.then(|| Self { port: origin.port(), folders })
    }

    /// As it is now: a server that was started again has another one.
    pub(crate) fn read(&self) -> Option<String> {
        let name = LocalServer::file_name(self.port);
        let texts = self.folders.iter().filter_map(|folder| fs::read(folder.join(&name)).ok());
        texts.filter_map(|text| serde_json::from_slice::<LocalServer>(&text).ok()).map(|it| it.token).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_that_is_named_comes_first() {
        for (variables, expected) in [
            (
                [("WEEVIL_RUNTIME_DIR", "/w"), ("XDG_RUNTIME_DIR", "/run/user/7"), ("HOME", "/home/a")]
                    .as_slice(),
                ["/w", "/run/user/7/weevil", "/home/a/.local/state/weevil"].as_slice(),
            ),
            (&[("RUNTIME_DIRECTORY", "/run/a:/run/b"), ("HOME", "/")], &["/run/a", "/.local/state/weevil"]),
            (&[("XDG_RUNTIME_DIR", "run"), ("HOME", "")], &[]),
            (&[("TMPDIR", "/tmp")], &[]),
        ] {
            let variable = |name: &str| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value))
            };
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(folders(variable), expected, "{variables:?}");
        }
    }

    #[test]
    fn only_an_address_of_this_machine_has_a_local_token() {
        for (url, port) in [
            ("http://127.0.0.1:8080", Some(8080)),
            ("http://127.3.2.1:1/", Some(1)),
            ("http://localhost", Some(80)),
            ("http://[::1]:9000", Some(9000)),
            ("http://192.0.2.1:8080", None),
            ("http://localhost.evil.example:8080", None),
            ("http://127.0.0.1.evil.example:8080", None),
            ("http://127.0.0.1@evil.example:8080", None),
            ("http://evil.example:8080#@127.0.0.1", None),
            ("https://127.0.0.1:8080", None),
            ("127.0.0.1:8080", None),
            ("", None),
        ] {
            let token = Origin::parse(url).ok().and_then(|origin| LocalToken::of(&origin, Vec::new()));
            assert_eq!(token.map(|token| token.port), port, "{url}");
        }
    }

    #[test]
    fn a_token_is_read_as_it_is_now() {
        let folder = tempfile::TempDir::new().unwrap();
        let nowhere = folder.path().join("nowhere");
        let token = LocalToken { port: 7, folders: vec![nowhere, folder.path().to_owned()] };
        assert_eq!(token.read(), None);
        for (text, read) in [
            (r#"{"url":"http://127.0.0.1:7","token":"one","pid":1,"startedAt":2}"#, Some("one")),
            (r#"{"url":"http://127.0.0.1:7","token":"two","pid":1,"startedAt":2}"#, Some("two")),
            ("{}", None),
            ("", None),
        ] {
            fs::write(folder.path().join("7.json"), text).unwrap();
            assert_eq!(token.read().as_deref(), read, "{text}");
        }
    }
}
