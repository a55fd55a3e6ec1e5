//! How a server is reached, as its settings say: addresses of both faces, names, certificates; and what of it does not start.
//!
//! Opens nothing. A face belongs to the socket that shows it, so no setting here names a header.

use std::net::SocketAddr;
use std::path::PathBuf;

use weevil_access::{FaceUrl, Host, Names};
use weevil_model::Face;

use crate::tls::TlsFiles;

/// Sockets of the public face that can be named.
pub(crate) const MAX_PUBLIC_SOCKETS: usize = 4;
/// Further names that can be given.
pub(crate) const MAX_HOSTS: usize = 20;

/// Everything about sockets and names.
#[derive(Debug, Clone)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a switch of the command line, or follows from one"
)]
pub struct Reach {
    /// The private face.
    pub listen: SocketAddr,
    /// The public face alone.
    pub public: Vec<SocketAddr>,
    /// How people reach the private face.
    pub url: Option<FaceUrl>,
    /// How people reach the public face.
    pub public_url: Option<FaceUrl>,
    /// Further names that are answered to.
    pub hosts: Vec<Host>,
    /// A private face beyond loopback without TLS is meant.
    pub plain_http: bool,
    /// A certificate and its key, where the server speaks TLS itself.
    pub certificate: Option<PathBuf>,
    /// The key of it.
    pub key: Option<PathBuf>,
    /// TLS on loopback as well.
    pub tls_everywhere: bool,
    /// Where plain HTTP is told where https is.
    pub redirect: Option<SocketAddr>,
    /// How long browsers remember that the name speaks TLS; 0 tells them nothing.
    pub hsts_seconds: u32,
    /// Whether a proxy is trusted, behind which TLS may end.
    pub behind_proxy: bool,
    /// Asked for, and not there any more.
    pub insecure_console: bool,
}

/// Why the sockets cannot be as they are asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReachError {
    /// Anybody on the way could read what makes somebody a researcher.
    #[error(
        "--listen {0} would show the console to other machines without TLS: name --tls-cert and --tls-key, or an https \
         --url together with the --trusted-proxy that speaks TLS for it, or add --plain-http if that is meant"
    )]
    OpenConsole(SocketAddr),
    /// An option that everybody's console had.
    #[error(
        "--insecure-console is gone: it gave the console to everybody who could reach it. For volunteers on other machines \
         use --public-listen {0}, which shows no console; for other researchers keep --listen on loopback and let them come \
         through a tunnel until they have accounts"
    )]
    InsecureConsole(SocketAddr),
    /// Two sockets cannot have one address.
    #[error(
        "{0} is named twice: each of --listen, --public-listen and --redirect-listen needs an address of its own"
    )]
    Twice(SocketAddr),
    /// A certificate without its key, or the other way round.
    #[error("{0} is missing: a certificate and its key are named together")]
    HalfPair(&'static str),
    /// Nobody has said where the redirect leads.
    #[error("--redirect-listen leads to the https address of a face: name it with --public-url or --url")]
    RedirectWhere,
}

impl Reach {
    /// One private socket and nothing else.
    #[cfg(test)]
    pub(crate) const fn at(listen: SocketAddr) -> Self {
        Self {
            listen,
            public: Vec::new(),
            url: None,
            public_url: None,
            hosts: Vec::new(),
            plain_http: false,
            certificate: None,
            key: None,
            tls_everywhere: false,
            redirect: None,
            hsts_seconds: 0,
            behind_proxy: false,
            insecure_console: false,
        }
    }

    /// Everything that does not fit, at once.
    pub(crate) fn problems(&self) -> Vec<ReachError> {
        let mut problems = Vec::new();
        if self.insecure_console {
            problems.push(ReachError::InsecureConsole(self.listen));
        } else if !self.private_is_safe() {
            problems.push(ReachError::OpenConsole(self.listen));
        }
        match (&self.certificate, &self.key) {
            (Some(_), None) => problems.push(ReachError::HalfPair("--tls-key")),
            (None, Some(_)) => problems.push(ReachError::HalfPair("--tls-cert")),
            _ => {}
        }
        if self.redirect.is_some() && self.https_urls().next().is_none() {
            problems.push(ReachError::RedirectWhere);
        }
        problems.extend(self.twice().map(ReachError::Twice));
        problems
    }

    fn private_is_safe(&self) -> bool {
        let loopback = self.listen.ip().to_canonical().is_loopback();
        loopback || self.plain_http || self.certificate.is_some() || self.is_secured(self.url.as_ref())
    }

    /// The certificate and its key.
    pub(crate) fn tls(&self) -> Option<TlsFiles> {
        let (certificate, key) = (self.certificate.clone()?, self.key.clone()?);
        Some(TlsFiles { certificate, key })
    }

    /// Whether a socket at this address speaks TLS.
    pub(crate) fn speaks_tls(&self, address: SocketAddr) -> bool {
        self.certificate.is_some() && (self.tls_everywhere || !address.ip().to_canonical().is_loopback())
    }

    /// The faces' own addresses that are https, the public one first.
    pub(crate) fn https_urls(&self) -> impl Iterator<Item = &FaceUrl> {
        [&self.public_url, &self.url].into_iter().flatten().filter(|url| url.is_secure())
    }

    /// Whether TLS ends at a proxy that was named.
    fn is_secured(&self, url: Option<&FaceUrl>) -> bool {
        self.behind_proxy && url.is_some_and(FaceUrl::is_secure)
    }

    /// Addresses that come more than once. Each port 0 is another one.
    fn twice(&self) -> impl Iterator<Item = SocketAddr> {
        let all: Vec<SocketAddr> =
            [self.listen].into_iter().chain(self.public.iter().copied()).chain(self.redirect).collect();
        let again = (1..all.len()).filter(|at| all[*at].port() != 0 && all[..*at].contains(&all[*at]));
        again.map(|at| all[at]).collect::<Vec<_>>().into_iter()
    }

    /// What starts, and does less than somebody may think.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let open = self
            .public
            .iter()
            .filter(|address| !address.ip().to_canonical().is_loopback() && !self.speaks_tls(**address));
        let secured = self.is_secured(self.public_url.as_ref());
        let plain = open.filter(|_| !secured).map(|address| {
            format!(
                "--public-listen {address} speaks plain HTTP: browsers of other machines offer neither their GPU nor a device \
                 key there, and whoever is on the way can change what they are sent"
            )
        });
        plain.collect()
    }

    /// The names that every socket answers to.
    pub(crate) fn names(&self) -> Names {
        let urls = [&self.url, &self.public_url].into_iter().flatten().map(|url| url.host().clone());
        Names::new(urls.chain(self.hosts.iter().cloned()))
    }

    /// How people reach a face, where somebody has said so.
    pub(crate) const fn url(&self, face: Face) -> Option<&FaceUrl> {
        match face {
            Face::Private => self.url.as_ref(),
            Face::Public => self.public_url.as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(listen: &str, public: &[&str]) -> Reach {
        let public = public.iter().map(|address| address.parse().unwrap()).collect();
        Reach { public, ..Reach::at(listen.parse().unwrap()) }
    }

    fn url(text: &str) -> FaceUrl {
        text.parse().unwrap()
    }

    #[test]
    fn a_console_beyond_loopback_takes_tls_or_a_word() {
        for (listen, plain_http, behind_proxy, url, fine) in [
            ("127.0.0.1:8080", false, false, None, true),
            ("[::1]:8080", false, false, None, true),
            ("[::ffff:127.0.0.1]:8080", false, false, None, true),
            ("0.0.0.0:8080", false, false, None, false),
            ("0.0.0.0:8080", true, false, None, true),
            ("192.0.2.1:8080", false, true, Some(url("https://weevil.example")), true),
            ("192.0.2.1:8080", false, false, Some(url("https://weevil.example")), false),
            ("192.0.2.1:8080", false, true, Some(url("http://weevil.example")), false),
            ("192.0.2.1:8080", false, true, None, false),
        ] {
            let reach = Reach { url, plain_http, behind_proxy, ..reach(listen, &[]) };
            let problems = if fine { vec![] } else { vec![ReachError::OpenConsole(reach.listen)] };
            assert_eq!(reach.problems(), problems, "{reach:?}");
        }
    }

    #[test]
    fn an_address_is_listened_on_once() {
        for (listen, public, twice) in [
            ("127.0.0.1:8080", &["0.0.0.0:8081"][..], &[][..]),
            ("127.0.0.1:8080", &["127.0.0.1:8080"], &["127.0.0.1:8080"]),
            ("127.0.0.1:0", &["127.0.0.1:0", "127.0.0.1:0"], &[]),
            ("127.0.0.1:1", &["[::1]:2", "[::1]:2"], &["[::1]:2"]),
        ] {
            let found: Vec<String> =
                reach(listen, public).twice().map(|address| address.to_string()).collect();
            assert_eq!(found, twice, "{listen} {public:?}");
        }
    }

    #[test]
    fn a_certificate_has_its_key_and_a_redirect_its_target() {
        let (certificate, key) = (Some(PathBuf::from("c")), Some(PathBuf::from("k")));
        let redirect = Some("0.0.0.0:80".parse().unwrap());
        let base = || reach("0.0.0.0:8443", &[]);
        for (reach, problems) in [
            (Reach { certificate: certificate.clone(), key: key.clone(), ..base() }, vec![]),
            (Reach { certificate: certificate.clone(), ..base() }, vec![ReachError::HalfPair("--tls-key")]),
            (
                Reach { key: key.clone(), ..reach("127.0.0.1:1", &[]) },
                vec![ReachError::HalfPair("--tls-cert")],
            ),
            (
                Reach { certificate: certificate.clone(), key: key.clone(), redirect, ..base() },
                vec![ReachError::RedirectWhere],
            ),
            (
                Reach { url: Some(url("https://weevil.example")), certificate, key, redirect, ..base() },
                vec![],
            ),
        ] {
            assert_eq!(reach.problems(), problems, "{reach:?}");
        }
    }

    #[test]
    fn tls_is_spoken_beyond_loopback_or_everywhere() {
        for (address, everywhere, spoken) in [
            ("127.0.0.1:1", false, false),
            ("127.0.0.1:1", true, true),
            ("0.0.0.0:1", false, true),
            ("[::1]:1", false, false),
        ] {
            let reach =
                Reach { certificate: Some("c".into()), tls_everywhere: everywhere, ..reach(address, &[]) };
            assert_eq!(reach.speaks_tls(reach.listen), spoken, "{address} {everywhere}");
            assert!(!Reach { certificate: None, ..reach.clone() }.speaks_tls(reach.listen));
        }
    }

    #[test]
    fn what_is_gone_is_told_with_both_cures() {
        let reach = Reach { insecure_console: true, ..reach("0.0.0.0:8080", &[]) };
        let [told] = &reach.problems()[..] else { panic!("one problem") };
        let told = told.to_string();
        assert!(told.contains("--public-listen 0.0.0.0:8080") && told.contains("accounts"), "{told}");
    }

    #[test]
    fn a_plain_public_face_is_warned_of() {
        for (public, behind_proxy, public_url, warnings) in [
            (&["127.0.0.1:1"][..], false, None, 0),
            (&["0.0.0.0:1", "192.0.2.1:1"], false, None, 2),
            (&["0.0.0.0:1"], true, Some(url("https://weevil.example")), 0),
            (&["0.0.0.0:1"], false, Some(url("https://weevil.example")), 1),
        ] {
            let reach = Reach { public_url, behind_proxy, ..reach("127.0.0.1:0", public) };
            assert_eq!(reach.warnings().len(), warnings, "{reach:?}");
        }
    }
}
