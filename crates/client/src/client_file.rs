//! `client.toml`: the servers that a person knows, each with its address and what opens it.
//!
//! A file with a token in it is its owner's alone, else it is not read. What the person wrote beside it stays as it is.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Origin;
use crate::toml_block::{Block, edited};

/// What the group and others may do.
const OTHERS: u32 = 0o077;

/// What helps against a file that cannot be understood.
const CURE: &str = "mend that line, or move the file away: `weevil login` writes a new one";

/// The servers that a person knows.
#[derive(Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Known {
    /// The name of the one that is asked where nobody says which.
    pub default: Option<String>,
    #[serde(default)]
    pub servers: BTreeMap<String, Entry>,
}

/// One of them.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub url: String,
    pub token: Option<String>,
    /// The file of the authorities that vouch for it.
    pub ca: Option<PathBuf>,
}

/// The file, and what it says.
pub(crate) struct ClientFile {
    pub path: PathBuf,
    text: String,
    pub known: Known,
}

impl ClientFile {
    /// In the person's configuration folder; `variable` is the environment. `None` where there is no such folder.
    ///
    /// # Errors
    /// In words for people: it cannot be read, or others can.
    pub(crate) fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Option<Self>, String> {
        let Some(path) = path(variable) else { return Ok(None) };
        // What a link leads to is written, and the link stays.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{} cannot be read: {error}", path.display())),
        };
        let known = parse(&text).map_err(|why| format!("{}: {why}; {CURE}", path.display()))?;
        let secret = known.servers.values().any(|entry| entry.token.is_some());
        if secret && fs::metadata(&path).is_ok_and(|found| found.mode() & OTHERS != 0) {
            let path = path.display();
            return Err(format!("{path} holds a token and others can read it; `chmod 600 {path}` closes it"));
        }
        Ok(Some(Self { path, text, known }))
    }

    /// The server with this origin.
    pub(crate) fn of(&self, origin: &Origin) -> Option<(&str, &Entry)> {
        let same = |entry: &Entry| Origin::parse(&entry.url).as_ref() == Ok(origin);
        let mut found = self.known.servers.iter().filter(|(_, entry)| same(entry));
        found.next().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The address of the server that goes by this name; `None` for a text that is an address itself.
    ///
    /// # Errors
    /// In words for people: no server goes by it.
    pub(crate) fn named_url(&self, server: &str) -> Result<Option<&str>, String> {
        if server.contains("://") {
            return Ok(None);
        }
        let known: Vec<&str> = self.known.servers.keys().map(String::as_str).collect();
        let unknown = || {
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            format!(
                "{} names no server `{server}`: it has {known}; write one of these, or scheme, host and port, as in \
                 https://weevil.example",
                self.path.display()
            )
        };
        self.known.servers.get(server).map(|entry| Some(entry.url.as_str())).ok_or_else(unknown)
    }

    /// The address of the server that is asked where nobody says which.
    ///
    /// # Errors
    /// In words for people: the file names one that it does not know.
    pub(crate) fn default_url(&self) -> Result<Option<&str>, String> {
        let Some(name) = &self.known.default else { return Ok(None) };
        let entry = self.known.servers.get(name);
        let unknown =
            || format!("{}: `default` names `{name}`, and there is no [servers.{name}]", self.path.display());
        entry.map(|entry| Some(entry.url.as_str())).ok_or_else(unknown)
    }

    /// Keeps what opens a server. The first server becomes the one that is asked where nobody says which: the answer says
    /// whether it is.
    ///
    /// # Errors
    /// In words for people: the file cannot be written.
    pub(crate) fn keep(&mut self, origin: &Origin, token: &str, ca: Option<&Path>) -> Result<bool, String> {
        let mut then = self.known.clone();
        let name = self.of(origin).map_or_else(|| self.new_name(origin), |(name, _)| name.to_owned());
        let before = self.of(origin).and_then(|(_, entry)| entry.ca.clone());
        let ca = ca.map(Path::to_owned).or(before);
        then.servers
            .insert(name.clone(), Entry { url: origin.to_string(), token: Some(token.to_owned()), ca });
        if self.known.servers.is_empty() && then.default.is_none() {
            then.default = Some(name.clone());
        }
        self.write(&name, then)?;
        Ok(self.known.default.as_ref() == Some(&name))
    }

    /// Forgets what opens a server, and nothing else of it.
    ///
    /// # Errors
    /// In words for people: the file cannot be written.
    pub(crate) fn forget(&mut self, origin: &Origin) -> Result<(), String> {
        let Some(name) = self.of(origin).map(|(name, _)| name.to_owned()) else { return Ok(()) };
        let mut then = self.known.clone();
        if let Some(entry) = then.servers.get_mut(&name) {
            entry.token = None;
        }
        self.write(&name, then)
    }

    /// Letters, digits and hyphens of the host, and a number where another server has that name.
    fn new_name(&self, origin: &Origin) -> String {
        let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
        let host: String = origin.host().chars().map(plain).collect();
        let numbered = (2..).map(|number| format!("{host}-{number}"));
        let mut names = std::iter::once(host.clone()).chain(numbered);
        names.find(|name| !self.known.servers.contains_key(name)).unwrap_or(host)
    }

    fn write(&mut self, name: &str, then: Known) -> Result<(), String> {
        let path = self.path.display().to_string();
        let by_hand =
            || format!("{path} is written in a way that this command cannot change; change it by hand");
        let entry = then.servers.get(name).ok_or_else(by_hand)?;
        let default = then.default.as_deref().filter(|_| self.known.default.is_none());
        let ca = entry.ca.as_ref().and_then(|ca| ca.to_str());
        let block = Block { name, url: &entry.url, token: entry.token.as_deref(), ca };
        let text = edited(&self.text, &block, default);
        if parse(&text).ok().as_ref() != Some(&then) {
            return Err(by_hand());
        }
        replace(&self.path, &text).map_err(|error| format!("{path} cannot be written: {error}"))?;
        (self.text, self.known) = (text, then);
        Ok(())
    }
}

fn path(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")));
    folder.map(|folder| folder.join("weevil/client.toml"))
}

/// The error says where, and never what: a token may stand there.
fn parse(text: &str) -> Result<Known, String> {
    toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let line = text.get(..at).unwrap_or_default().lines().count().max(1);
        format!("line {line}: {}", error.message())
    })
}

/// All of it or nothing, with the mode 0600.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let unfinished = folder.join(format!(".client.toml.{}", std::process::id()));
    // What a killed process of this very number left behind.
    let _gone = fs::remove_file(&unfinished);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn read(folder: &Path) -> Result<ClientFile, String> {
        let variable = |name: &str| (name == "XDG_CONFIG_HOME").then(|| folder.as_os_str().to_owned());
        Ok(ClientFile::read(variable)?.expect("a folder"))
    }

    fn write(folder: &Path, text: &str, mode: u32) {
        fs::create_dir_all(folder.join("weevil")).unwrap();
        let file = folder.join("weevil/client.toml");
        fs::write(&file, text).unwrap();
        fs::set_permissions(file, Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_file_with_a_token_is_read_only_where_nobody_else_can() {
        let plain = "[servers.lab]\nurl = \"https://lab.example\"\n";
        let secret = format!("{plain}token = \"wvt_x\"\n");
        for (text, mode, words) in [
            (plain, 0o644, None),
            (&secret, 0o600, None),
            (&secret, 0o400, None),
            (&secret, 0o640, Some("chmod 600")),
            (&secret, 0o604, Some("chmod 600")),
            (&secret, 0o622, Some("chmod 600")),
            ("servers = 1", 0o600, Some("line 1")),
            ("\n[servers.lab]\nurl = \"x\"\nfoo = \"wvt_y\"", 0o600, Some("line 3: unknown field")),
            ("\ntoken = wvt_y", 0o600, Some("line 2")),
            ("\n\n[servers.lab", 0o600, Some("client.toml: line 3: ")),
            ("servers = 1", 0o600, Some("; mend that line, or move the file away")),
        ] {
            let folder = tempfile::TempDir::new().unwrap();
            write(folder.path(), text, mode);
            let why = read(folder.path()).err();
            assert_eq!(why.is_some(), words.is_some(), "{text} {mode:o}: {why:?}");
            let why = why.unwrap_or_default();
            assert!(why.contains(words.unwrap_or_default()) && !why.contains("wvt_"), "{mode:o}: {why}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_forgotten_alone() {
        let folder = tempfile::TempDir::new().unwrap();
        let (lab, other) = ("https://lab.example:8443", "https://lab.example");
        let origin = |url: &str| Origin::parse(url).unwrap();
        let mut file = read(folder.path()).unwrap();
        assert!(
            file.keep(&origin(lab), "wvt_1", Some(Path::new("/ca.pem"))).unwrap(),
            "the first is the default"
        );
        assert!(!file.keep(&origin(other), "wvt_2", None).unwrap(), "the second is not");
        assert!(file.keep(&origin(lab), "wvt_3", None).unwrap());
        let path = folder.path().join("weevil/client.toml");
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(folder.path().join("weevil")).unwrap().mode() & 0o777, 0o700);
        let mut file = read(folder.path()).unwrap();
        let token =
            |file: &ClientFile, url: &str| file.of(&origin(url)).and_then(|(_, entry)| entry.token.clone());
        assert_eq!(
            (token(&file, lab).as_deref(), token(&file, other).as_deref()),
            (Some("wvt_3"), Some("wvt_2"))
        );
        assert_eq!(file.default_url(), Ok(Some(lab)));
        let (name, entry) = file.of(&origin(lab)).unwrap();
        assert_eq!(
            (name, entry.ca.as_deref()),
            ("lab-example", Some(Path::new("/ca.pem"))),
            "the authority stays"
        );
        file.forget(&origin(lab)).unwrap();
        file.forget(&origin("https://nobody.example")).unwrap();
        let file = read(folder.path()).unwrap();
        assert_eq!((token(&file, lab), token(&file, other).as_deref()), (None, Some("wvt_2")));
        assert_eq!(file.default_url(), Ok(Some(lab)));
    }

    #[test]
    fn what_cannot_be_changed_is_left_and_a_default_must_be_known() {
        let folder = tempfile::TempDir::new().unwrap();
        let text = "servers = { lab = { url = \"https://lab.example\" } }\n";
        write(folder.path(), text, 0o600);
        let mut file = read(folder.path()).unwrap();
        let why = file.keep(&Origin::parse("https://lab.example").unwrap(), "wvt_1", None).unwrap_err();
        assert!(why.contains("by hand"), "{why}");
        assert_eq!(fs::read_to_string(folder.path().join("weevil/client.toml")).unwrap(), text);
        write(folder.path(), "default = \"lab\"", 0o600);
        assert!(read(folder.path()).unwrap().default_url().unwrap_err().contains("[servers.lab]"));
    }
}
