//! The pair that handshakes get now: looked for anew every half minute and at SIGHUP. One that does not fit changes nothing.
//!
//! Connections that are open stay as they are.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_rustls::TlsAcceptor;
use weevil_engine::clock::SharedClock;
use weevil_model::ContentHash;

use super::pair::{Pair, PairError, TlsFiles};

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// What is spoken inside (RFC 7301), what is liked best first.
const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// What is told of certificates.
#[derive(Debug, Clone, Default)]
pub(crate) struct TlsMetrics {
    failures: Counter,
    expires: Gauge,
}

impl TlsMetrics {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let help = "Times that the files of a certificate did not fit, so that the old one was kept";
        registry.register("tls_reload_failures", help, self.failures.clone());
        let help = "Seconds until the first certificate of the chain expires; negative afterwards";
        registry.register("tls_expires_seconds", help, self.expires.clone());
    }
}

/// What every handshake gets.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.read().unwrap_or_else(PoisonError::into_inner).clone())
    }
}

/// Keeps the pair of a server as its files have it.
pub(crate) struct Renewal {
    files: TlsFiles,
    current: Arc<Current>,
    /// What was read last, and until when it is good.
    known: Mutex<(ContentHash, i64)>,
    metrics: TlsMetrics,
    clock: SharedClock,
}

impl Renewal {
    /// With the pair that is there now.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn begin(files: TlsFiles, metrics: TlsMetrics, clock: SharedClock) -> Result<Self, PairError> {
        let bytes = files.bytes()?;
        let Pair { certified, expires_at } = files.pair(&bytes)?;
        let current = Arc::new(Current(RwLock::new(certified)));
        let renewal = Self { files, current, known: Mutex::new((bytes.hash(), expires_at)), metrics, clock };
        renewal.tell();
        if renewal.metrics.expires.get() <= 0 {
            tracing::warn!("the certificate has expired: browsers refuse it");
        }
        Ok(renewal)
    }

    /// How handshakes go: TLS 1.2 and 1.3, with whatever pair is the newest.
    ///
    /// # Errors
    /// The library has no cipher for one of the versions.
    pub(crate) fn acceptor(&self) -> Result<TlsAcceptor, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut config = builder.with_no_client_auth().with_cert_resolver(self.current.clone());
        config.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).into();
        Ok(Arc::new(config).into())
    }

    /// Looks for another pair for as long as the server runs. Hears a SIGHUP from now on, not only once it is waited for:
    /// one that nobody hears ends the process.
    pub(crate) fn run(self) -> impl Future<Output = ()> {
        let mut asked = signal(SignalKind::hangup()).ok();
        async move {
            loop {
                tokio::select! {
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                    () = hangup(asked.as_mut()) => {}
                }
                self.look();
            }
        }
    }

    fn look(&self) {
        match self.renewed() {
            Ok(true) => tracing::info!("the certificate is renewed: new connections get it"),
            Ok(false) => {}
            Err(error) => {
                self.metrics.failures.inc();
                tracing::error!(%error, "the certificate is not renewed: the old one is kept");
            }
        }
        self.tell();
    }

    /// Takes the pair of the files where it is another one. Answers whether it was.
    fn renewed(&self) -> Result<bool, PairError> {
        let bytes = self.files.bytes()?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.hash() == known.0 {
            return Ok(false);
        }
        let Pair { certified, expires_at } = self.files.pair(&bytes)?;
        *self.current.0.write().unwrap_or_else(PoisonError::into_inner) = certified;
        *known = (bytes.hash(), expires_at);
        Ok(true)
    }

    fn tell(&self) {
        let (_, expires_at) = &*self.known.lock().unwrap_or_else(PoisonError::into_inner);
        self.metrics.expires.set(expires_at - self.clock.now().0 / 1000);
    }
}

/// Once a SIGHUP comes; never where nobody can listen for one.
async fn hangup(asked: Option<&mut Signal>) {
    match asked {
        Some(asked) => drop(asked.recv().await),
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use weevil_engine::clock::SystemClock;

    use super::*;

    fn write(files: &TlsFiles) -> Vec<u8> {
        let made = rcgen::generate_simple_self_signed(["weevil.example".to_owned()]).unwrap();
        fs::write(&files.certificate, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        made.cert.der().to_vec()
    }

    fn shown(renewal: &Renewal) -> Vec<u8> {
        renewal.current.0.read().unwrap().cert[0].to_vec()
    }

    #[test]
    fn a_pair_that_does_not_fit_keeps_the_old_one() {
        let folder = tempfile::TempDir::new().unwrap();
        let files =
            TlsFiles { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        let first = write(&files);
        let metrics = TlsMetrics::default();
        let renewal = Renewal::begin(files.clone(), metrics.clone(), Arc::new(SystemClock)).unwrap();
        assert_eq!(shown(&renewal), first);
        assert!(metrics.expires.get() > 0);
        for (broken, failures) in [("cert.pem", 1), ("key.pem", 2)] {
            fs::write(folder.path().join(broken), "half of it").unwrap();
            renewal.look();
            assert_eq!((shown(&renewal), metrics.failures.get()), (first.clone(), failures), "{broken}");
        }
        fs::remove_file(&files.key).unwrap();
        renewal.look();
        assert_eq!((shown(&renewal), metrics.failures.get()), (first.clone(), 3));
        let second = write(&files);
        renewal.look();
        renewal.look();
        assert_eq!((shown(&renewal), metrics.failures.get()), (second.clone(), 3));
        assert_ne!(first, second);
    }
}
