//! A certificate with its chain, and its key, from files: read, and refused in words where they do not fit.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::crypto::ring::sign::any_supported_type;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use weevil_model::ContentHash;

use super::certificate;

/// Where a certificate and its key lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    /// `--tls-cert`: the server's own certificate first, then each one's issuer.
    pub certificate: PathBuf,
    /// `--tls-key`
    pub key: PathBuf,
}

/// A certificate with its chain, and the key of it.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    pub certified: Arc<CertifiedKey>,
    /// Seconds since 1970.
    pub expires_at: i64,
}

/// The two files as they lie there. Never shown: one of them is a secret.
pub(super) struct Bytes {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl Bytes {
    /// To see whether they have changed, without keeping them.
    pub(super) fn hash(&self) -> ContentHash {
        ContentHash::of_parts([("certificate", &*self.certificate), ("key", &*self.key)])
    }
}

/// Why two files are no pair.
#[derive(Debug, thiserror::Error)]
pub enum PairError {
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, std::io::Error),
    #[error("--tls-cert {0} holds no certificate in PEM (`-----BEGIN CERTIFICATE-----`)")]
    NoCertificate(PathBuf),
    #[error("--tls-key {0} holds no private key in PEM (`-----BEGIN PRIVATE KEY-----`)")]
    NoKey(PathBuf),
    #[error(
        "--tls-key {0} is encrypted, and nobody is there to type its passphrase: write it without one, `openssl pkey -in {0}`"
    )]
    Encrypted(PathBuf),
    #[error(
        "--tls-key {0} is of a kind that cannot be used here: take an ECDSA (P-256, P-384), Ed25519 or RSA key"
    )]
    Kind(PathBuf),
    #[error("--tls-cert {0} has a certificate that cannot be read, number {1}")]
    Broken(PathBuf, usize),
    #[error(
        "the key of --tls-key {key} is that of another certificate than the first of --tls-cert {certificate}"
    )]
    OtherKey { certificate: PathBuf, key: PathBuf },
    #[error(
        "the certificates of --tls-cert {0} are in the wrong order: number {1} did not issue the one before it; the server's own \
         comes first, then its issuer, and so on"
    )]
    Order(PathBuf, usize),
}

impl TlsFiles {
    pub(super) fn bytes(&self) -> Result<Bytes, PairError> {
        let read =
            |path: &Path| fs::read(path).map_err(|error| PairError::Unreadable(path.to_owned(), error));
        Ok(Bytes { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    /// The pair that the files hold.
    ///
    /// # Errors
    /// They hold none, or one that browsers would refuse whatever its names and dates.
    pub(super) fn pair(&self, bytes: &Bytes) -> Result<Pair, PairError> {
        let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_slice_iter(&bytes.certificate)
            .collect::<Result<_, _>>()
            .map_err(|_| PairError::NoCertificate(self.certificate.clone()))?;
        let expires_at = self.check_chain(&chain)?;
        let key = self.key(&bytes.key)?;
        let signing = any_supported_type(&key).map_err(|_| PairError::Kind(self.key.clone()))?;
        let certified = CertifiedKey::new(chain, signing);
        certified.keys_match().map_err(|_| PairError::OtherKey {
            certificate: self.certificate.clone(),
            key: self.key.clone(),
        })?;
        Ok(Pair { certified: Arc::new(certified), expires_at })
    }

    /// Each one's issuer comes behind it. Answers when the first of them expires.
    fn check_chain(&self, chain: &[CertificateDer<'_>]) -> Result<i64, PairError> {
        let facts = chain.iter().enumerate().map(|(at, der)| {
            certificate::read(der).ok_or_else(|| PairError::Broken(self.certificate.clone(), at + 1))
        });
        let facts: Vec<certificate::Facts<'_>> = facts.collect::<Result<_, _>>()?;
        let issued = |pair: &[certificate::Facts<'_>]| pair[0].issuer == pair[1].subject;
        if let Some(at) = facts.windows(2).position(|pair| !issued(pair)) {
            return Err(PairError::Order(self.certificate.clone(), at + 2));
        }
        let first = facts.iter().map(|facts| facts.expires_at).min();
        first.ok_or_else(|| PairError::NoCertificate(self.certificate.clone()))
    }

    fn key(&self, pem: &[u8]) -> Result<PrivateKeyDer<'static>, PairError> {
        // PKCS #8 (RFC 5958) says so in its label, what is older in a line of its own (RFC 1421, section 4.6.1.1).
        let text = String::from_utf8_lossy(pem);
        if text.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") {
            return Err(PairError::Encrypted(self.key.clone()));
        }
        PrivateKeyDer::from_pem_slice(pem).map_err(|_| PairError::NoKey(self.key.clone()))
    }
}

#[cfg(test)]
mod tests {
    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, Issuer, KeyPair};

    use super::*;

    /// A certificate of an authority's, with the authority's own.
    fn issued() -> (String, String, KeyPair) {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(rcgen::DnType::CommonName, "authority");
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["weevil.example".to_owned()]).unwrap();
        let issuer: &Issuer<'_, KeyPair> = &authority;
        let own = params.signed_by(&key, issuer).unwrap();
        (own.pem(), authority.pem(), key)
    }

    #[test]
    fn what_does_not_fit_is_refused_in_words() {
        let (own, authority, key) = issued();
        let other = KeyPair::generate().unwrap().serialize_pem();
        let key = key.serialize_pem();
        let chain = format!("{own}{authority}");
        let encrypted = key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
        let older = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES\n\nAAAA\n-----END EC PRIVATE KEY-----\n";
        for (certificate, key, expected) in [
            (own.clone(), key.clone(), None),
            (chain.clone(), key.clone(), None),
            (format!("{key}{chain}"), format!("{own}{key}"), None),
            (format!("{authority}{own}"), key.clone(), Some("wrong order")),
            (format!("{own}{own}"), key.clone(), Some("wrong order")),
            (own.clone(), other, Some("another certificate")),
            (own.clone(), encrypted, Some("is encrypted")),
            (own.clone(), older.to_owned(), Some("is encrypted")),
            (own.clone(), own.clone(), Some("holds no private key")),
            (own.clone(), String::new(), Some("holds no private key")),
            (String::new(), key.clone(), Some("holds no certificate")),
            (key.clone(), key.clone(), Some("holds no certificate")),
            (
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_owned(),
                key,
                Some("cannot be read, number 1"),
            ),
        ] {
            let files = TlsFiles { certificate: "cert.pem".into(), key: "key.pem".into() };
            let bytes = Bytes { certificate: certificate.into_bytes(), key: key.into_bytes() };
            let found = files.pair(&bytes).err().map(|error| error.to_string());
            match expected {
                None => assert_eq!(found, None, "they fit"),
                Some(words) => {
                    assert!(found.as_ref().is_some_and(|found| found.contains(words)), "{words}: {found:?}");
                }
            }
        }
    }
}
