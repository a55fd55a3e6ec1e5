//! The caller `local`: a token in a file that only this process's owner can read, links made with it, sessions opened with
//! those. All of it ends with the server (ADR 0045).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;

use weevil_access::limits::{CONSOLE_LINK_MS, START_LINK_MS};
use weevil_access::{Secret, SecretHash, SecretKind, ServerSecret};
use weevil_client::local::{LocalServer, folders};
use weevil_model::Timestamp;

use super::runtime::LocalFile;
use super::sessions::Sessions;
use crate::seeds;

/// What knows the token and what was made with it. The token itself is in the file alone.
pub(crate) struct Local {
    url: String,
    token: SecretHash,
    pub sessions: Sessions,
}

impl Local {
    /// Leaves a token for a server that can be reached over loopback, for as long as the file is kept; the log says where none
    /// can be left.
    pub(crate) fn begin(listen: SocketAddr, now: Timestamp) -> Option<(Self, LocalFile)> {
        let url = format!("http://{}", over_loopback(listen)?);
        let folder = folders(|name| std::env::var_os(name)).into_iter().next();
        let begun = match &folder {
            Some(folder) => Self::leave(folder, url, listen.port(), now),
            None => Err("neither WEEVIL_RUNTIME_DIR nor XDG_RUNTIME_DIR nor HOME names a folder".to_owned()),
        };
        begun
            .inspect_err(|why| {
                tracing::warn!(%why, "there is no local token: nobody can sign in here; set WEEVIL_RUNTIME_DIR");
            })
            .ok()
    }

    fn leave(folder: &Path, url: String, port: u16, now: Timestamp) -> Result<(Self, LocalFile), String> {
        let random = || seeds::secret().map_err(|error| error.to_string());
        let token = Secret::of_bytes(SecretKind::LocalToken, random()?);
        let told = LocalServer {
            url: url.clone(),
            token: token.reveal().to_owned(),
            pid: std::process::id(),
            started_at: now.0,
        };
        let text = serde_json::to_vec(&told).map_err(|error| error.to_string())?;
        let file = LocalFile::leave(folder, &LocalServer::file_name(port), &text);
        let sessions = Sessions::new(ServerSecret::from_bytes(random()?));
        let file = file.map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok((Self { url, token: token.hash(), sessions }, file))
    }

    /// Whether this is the token of this start.
    pub(crate) fn knows(&self, token: &Secret) -> bool {
        token.hash() == self.token
    }

    /// The address that the start prints.
    pub(crate) fn first_address(&self, now: Timestamp) -> Option<String> {
        let (link, _) = self.link(now, START_LINK_MS)?;
        Some(format!("{}/console#link={}", self.url, link.reveal()))
    }

    /// A link for who asked for one, and until when it is good; `None` where the system gives no random bytes.
    pub(crate) fn new_link(&self, now: Timestamp) -> Option<(Secret, Timestamp)> {
        self.link(now, CONSOLE_LINK_MS)
    }

    fn link(&self, now: Timestamp, good_ms: i64) -> Option<(Secret, Timestamp)> {
        let link = Secret::of_bytes(SecretKind::Console, seeds::secret().ok()?);
        let until = now.plus_ms(good_ms);
        self.sessions.keep_link(&link, until);
        Some((link, until))
    }
}

/// Where a socket answers over loopback, if it does.
fn over_loopback(listen: SocketAddr) -> Option<SocketAddr> {
    let ip = match listen.ip() {
        ip if ip.is_loopback() => ip,
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        _ => return None,
    };
    Some(SocketAddr::new(ip, listen.port()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_answers_over_loopback_has_a_local_address() {
        for (listen, expected) in [
            ("127.0.0.1:8080", Some("127.0.0.1:8080")),
            ("127.9.9.9:1", Some("127.9.9.9:1")),
            ("0.0.0.0:8080", Some("127.0.0.1:8080")),
            ("[::]:8080", Some("[::1]:8080")),
            ("[::1]:8080", Some("[::1]:8080")),
            ("192.0.2.1:8080", None),
            ("[2001:db8::1]:8080", None),
        ] {
            let found = over_loopback(listen.parse().unwrap()).map(|address| address.to_string());
            assert_eq!(found.as_deref(), expected, "{listen}");
        }
    }
}
