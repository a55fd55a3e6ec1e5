//! Which server a command asks, and what it proves with who asks: from arguments, variables, the person's own file, and the
//! token that a server of this machine leaves.
//!
//! Never sends a secret over plain HTTP to another machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use crate::client_file::ClientFile;
use crate::local::{LocalToken, folders};
use crate::{Origin, Server};

/// Asked where nobody says which server.
const LOOPBACK: &str = "http://127.0.0.1:8080";

/// What a command was told; what it was not is looked for.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// `--server` or `WEEVIL_SERVER`, an address or the name of an entry in `client.toml`; else its default, else this machine.
    pub server: Option<String>,
    /// `--token-file`: comes before `WEEVIL_TOKEN`, the server's entry in `client.toml` and the token that a server of this
    /// machine leaves.
    pub token_file: Option<PathBuf>,
    /// `--ca`: the authorities that vouch for the server, in place of the system's.
    pub ca: Option<PathBuf>,
}

/// What is sent to prove who asks.
#[derive(Clone)]
pub(crate) enum Credential {
    Nothing,
    Token(String),
    /// Read anew for each request: a server that was started again has another one.
    Local(LocalToken),
}

impl fmt::Debug for Credential {
    /// Nothing of the secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nothing => "Nothing",
            Self::Token(_) => "Token(..)",
            Self::Local(_) => "Local(..)",
        })
    }
}

/// All that a server is asked with.
pub(crate) struct Chosen {
    pub origin: Origin,
    pub ca: Option<PathBuf>,
    pub credential: Credential,
}

impl Wanted {
    /// The server, and what opens it.
    ///
    /// # Errors
    /// In words for people: what was named cannot be read or used.
    pub fn server(&self) -> Result<Server, String> {
        let variable = |name: &str| std::env::var_os(name);
        let file = ClientFile::read(variable)?;
        Server::of(self.choose(variable, file.as_ref())?)
    }

    /// The same without what would prove who asks, for a secret that is to come back.
    ///
    /// # Errors
    /// As those of `server`.
    pub fn stranger(&self) -> Result<Server, String> {
        let file = ClientFile::read(|name| std::env::var_os(name))?;
        let origin = self.origin(file.as_ref())?;
        safe(&origin)?;
        let ca = self.authority(&origin, file.as_ref());
        Server::of(Chosen { origin, ca, credential: Credential::Nothing })
    }

    /// The token that a server of this machine has left.
    ///
    /// # Errors
    /// In words for people: there is none.
    pub fn local_token(&self) -> Result<String, String> {
        let origin = self.origin(ClientFile::read(|name| std::env::var_os(name))?.as_ref())?;
        let local = LocalToken::of(&origin, folders(|name| std::env::var_os(name)));
        local.and_then(|local| local.read()).ok_or_else(|| {
            format!(
                "no server of this user's has left a token for {origin}: is `weevil serve` running there, on this \
                 machine and as this user?"
            )
        })
    }

    /// Keeps what opens the server in `client.toml`. Answers the file's path, and whether the server is the one that is
    /// asked where nobody says which.
    ///
    /// # Errors
    /// In words for people: there is no folder for it, or it cannot be written.
    pub fn keep(&self, token: &str) -> Result<(PathBuf, bool), String> {
        let mut file = own_file()?;
        let origin = self.origin(Some(&file))?;
        let ca = self.ca.as_deref().map(fs::canonicalize).transpose();
        let ca = ca.map_err(|error| format!("--ca cannot be read: {error}"))?;
        let default = file.keep(&origin, token, ca.as_deref())?;
        Ok((file.path, default))
    }

    /// The server, opened by the token that `client.toml` has for it and by nothing else.
    ///
    /// # Errors
    /// In words for people: there is none.
    pub fn kept(&self) -> Result<Server, String> {
        let file = own_file()?;
        let origin = self.origin(Some(&file))?;
        let kept = file.of(&origin).and_then(|(_, entry)| entry.token.as_deref()).and_then(token);
        let token = kept.ok_or_else(|| format!("{} has no token for {origin}", file.path.display()))?;
        safe(&origin)?;
        let ca = self.authority(&origin, Some(&file));
        Server::of(Chosen { origin, ca, credential: Credential::Token(token) })
    }

    /// Forgets it. Answers the file's path.
    ///
    /// # Errors
    /// In words for people: it cannot be written.
    pub fn forget(&self) -> Result<PathBuf, String> {
        let mut file = own_file()?;
        let origin = self.origin(Some(&file))?;
        file.forget(&origin)?;
        Ok(file.path)
    }

    fn origin(&self, file: Option<&ClientFile>) -> Result<Origin, String> {
        let url = match (self.server.as_deref(), file) {
            (Some(server), Some(file)) => Some(file.named_url(server)?.unwrap_or(server)),
            (None, Some(file)) => file.default_url()?,
            (server, None) => server,
        };
        Origin::parse(url.unwrap_or(LOOPBACK))
    }

    fn authority(&self, origin: &Origin, file: Option<&ClientFile>) -> Option<PathBuf> {
        let entry = file.and_then(|file| file.of(origin)).and_then(|(_, entry)| entry.ca.clone());
        self.ca.clone().or(entry)
    }

    fn choose(
        &self,
        variable: impl Fn(&str) -> Option<OsString>,
        file: Option<&ClientFile>,
    ) -> Result<Chosen, String> {
        let origin = self.origin(file)?;
        let credential = self.credential(&origin, variable, file)?;
        if !matches!(credential, Credential::Nothing) {
            safe(&origin)?;
        }
        let ca = self.authority(&origin, file);
        Ok(Chosen { origin, ca, credential })
    }

    fn credential(
        &self,
        origin: &Origin,
        variable: impl Fn(&str) -> Option<OsString>,
        file: Option<&ClientFile>,
    ) -> Result<Credential, String> {
        if let Some(path) = &self.token_file {
            return of_file(path).map(Credential::Token);
        }
        if let Some(text) = variable("WEEVIL_TOKEN").filter(|text| !text.is_empty()) {
            let text = text.into_string().unwrap_or_default();
            return token(&text)
                .map(Credential::Token)
                .ok_or_else(|| "WEEVIL_TOKEN holds no token".to_owned());
        }
        let entry = file.and_then(|file| file.of(origin)?.1.token.clone().map(|token| (&file.path, token)));
        if let Some((path, text)) = entry {
            let wrong = || format!("{} has no token for {origin}, but something else", path.display());
            return token(&text).map(Credential::Token).ok_or_else(wrong);
        }
        let local = LocalToken::of(origin, folders(variable));
        Ok(local.map_or(Credential::Nothing, Credential::Local))
    }
}

/// Whether a secret may go there and come from there.
fn safe(origin: &Origin) -> Result<(), String> {
    if origin.keeps_secrets() {
        return Ok(());
    }
    Err(format!(
        "{origin} is another machine, and plain HTTP would show the token to everybody on the way: name an https \
         address with --server, or ask on the server's own machine"
    ))
}

fn own_file() -> Result<ClientFile, String> {
    let file = ClientFile::read(|name| std::env::var_os(name))?;
    file.ok_or_else(|| "neither XDG_CONFIG_HOME nor HOME names a folder for client.toml".to_owned())
}

fn of_file(path: &Path) -> Result<String, String> {
    let named = path.display();
    let text =
        fs::read_to_string(path).map_err(|error| format!("--token-file {named} cannot be read: {error}"))?;
    token(&text).ok_or_else(|| format!("--token-file {named} holds no token"))
}

/// What a header can hold (RFC 6750, section 2.1), whatever the server will say of it.
fn token(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const HERE: &str = "http://127.0.0.1:7";

    /// A folder with a token in a file, one that a server of this machine left, and a `client.toml` with this text.
    fn folder(text: &str) -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        fs::write(folder.path().join("token"), " by_file\n").unwrap();
        fs::write(folder.path().join("blank"), "a b").unwrap();
        let left = format!(r#"{{"url":"{HERE}","token":"by_local","pid":1,"startedAt":2}}"#);
        fs::write(folder.path().join("7.json"), left).unwrap();
        fs::create_dir(folder.path().join("weevil")).unwrap();
        let file = folder.path().join("weevil/client.toml");
        fs::write(&file, text).unwrap();
        fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
        folder
    }

    /// Where is asked, and with what, or why not.
    fn chosen(wanted: &Wanted, text: &str, in_variable: Option<&str>) -> (String, String) {
        let folder = folder(text);
        let variable = |name: &str| match name {
            "XDG_CONFIG_HOME" | "WEEVIL_RUNTIME_DIR" => Some(folder.path().as_os_str().to_owned()),
            "WEEVIL_TOKEN" => in_variable.map(OsString::from),
            _ => None,
        };
        let token_file = wanted.token_file.as_ref().map(|name| folder.path().join(name));
        let wanted = Wanted { token_file, ..wanted.clone() };
        let file = ClientFile::read(variable).unwrap();
        match wanted.choose(variable, file.as_ref()) {
            Err(why) => ("refused".to_owned(), why),
            Ok(Chosen { origin, credential, .. }) => (
                origin.to_string(),
                match credential {
                    Credential::Nothing => "nothing".to_owned(),
                    Credential::Token(token) => token,
                    Credential::Local(local) => local.read().unwrap_or_default(),
                },
            ),
        }
    }

    #[test]
    fn a_credential_is_the_first_of_file_variable_entry_and_local_token() {
        let entry = format!("[servers.here]\nurl = \"{HERE}/\"\ntoken = \"by_entry\"\n");
        let elsewhere = "[servers.lab]\nurl = \"https://lab.example\"\ntoken = \"of_lab\"\n";
        let default = format!("default = \"lab\"\n{elsewhere}");
        for (server, file, in_variable, text, expected) in [
            (Some(HERE), Some("token"), Some("by_variable"), &*entry, (HERE, "by_file")),
            (Some(HERE), None, Some("by_variable"), &entry, (HERE, "by_variable")),
            (Some(HERE), None, Some(""), &entry, (HERE, "by_entry")),
            (Some(HERE), None, None, &entry, (HERE, "by_entry")),
            (Some(HERE), None, None, elsewhere, (HERE, "by_local")),
            (Some("https://lab.example:443/"), None, None, elsewhere, ("https://lab.example", "of_lab")),
            (
                Some("https://lab.example:8443"),
                None,
                None,
                elsewhere,
                ("https://lab.example:8443", "nothing"),
            ),
            (Some("http://lab.example"), None, None, elsewhere, ("http://lab.example", "nothing")),
            (
                Some("https://lab.example.evil"),
                None,
                None,
                elsewhere,
                ("https://lab.example.evil", "nothing"),
            ),
            (Some("lab"), None, None, elsewhere, ("https://lab.example", "of_lab")),
            (Some("lab"), None, Some("by_variable"), elsewhere, ("https://lab.example", "by_variable")),
            (None, None, None, &default, ("https://lab.example", "of_lab")),
            (None, None, None, elsewhere, (LOOPBACK, "")),
            (None, None, Some("by_variable"), "", (LOOPBACK, "by_variable")),
        ] {
            let wanted = Wanted {
                server: server.map(str::to_owned),
                token_file: file.map(PathBuf::from),
                ..Wanted::default()
            };
            let (origin, token) = chosen(&wanted, text, in_variable);
            assert_eq!(
                (origin.as_str(), token.as_str()),
                expected,
                "{server:?} {file:?} {in_variable:?} {text}"
            );
        }
    }

    #[test]
    fn what_cannot_be_used_is_refused_with_the_cure() {
        let plain = "[servers.lab]\nurl = \"http://lab.example\"\ntoken = \"of_lab\"\n";
        for (server, file, in_variable, text, words) in [
            ("http://lab.example", Some("token"), None, "", "name an https address"),
            ("http://lab.example", None, Some("by_variable"), "", "name an https address"),
            ("http://lab.example", None, None, plain, "name an https address"),
            (
                "http://192.0.2.1:8080",
                None,
                Some("by_variable"),
                "",
                "http://192.0.2.1:8080 is another machine",
            ),
            ("https://lab.example/x", None, None, "", "is no server"),
            ("shed", None, None, "", "client.toml names no server `shed`: it has none"),
            ("shed", None, None, plain, "client.toml names no server `shed`: it has lab"),
            (HERE, Some("nowhere"), None, "", "cannot be read"),
            (HERE, Some("blank"), None, "", "blank holds no token"),
            (HERE, None, Some("a b"), "", "WEEVIL_TOKEN holds no token"),
        ] {
            let wanted = Wanted {
                server: Some(server.to_owned()),
                token_file: file.map(PathBuf::from),
                ..Wanted::default()
            };
            let (refused, why) = chosen(&wanted, text, in_variable);
            assert!(refused == "refused" && why.contains(words), "{server} {file:?}: {refused} {why}");
            assert!(
                !["by_file", "by_variable", "of_lab", "a b"].iter().any(|secret| why.contains(secret)),
                "{why}"
            );
        }
    }
}
