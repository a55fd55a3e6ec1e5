//! Certificates for tests, with an authority of their own that no machine trusts.

use std::fs;
use std::path::PathBuf;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use rustls::pki_types::CertificateDer;
use tempfile::TempDir;

/// A certificate for some names (`cert.pem`) with its key (`key.pem`) and its authority (`ca.pem`), in a folder.
#[derive(Debug)]
pub struct Certified {
    folder: TempDir,
    names: Vec<String>,
    authority: CertifiedIssuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
}

impl Certified {
    pub fn of(names: &[&str]) -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("an authority");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, "authority");
        let key = KeyPair::generate().expect("a key");
        let authority = CertifiedIssuer::self_signed(params, key).expect("an authority");
        let (folder, certificate) = (TempDir::new().expect("a folder"), authority.der().clone());
        fs::write(folder.path().join("ca.pem"), authority.pem()).expect("a file");
        let names = names.iter().map(ToString::to_string).collect();
        let mut made = Self { folder, names, authority, certificate };
        made.renew();
        made
    }

    /// Another one takes its place.
    pub fn renew(&mut self) {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(self.names.clone()).expect("names");
        let made = params.signed_by(&key, &self.authority).expect("a certificate");
        fs::write(self.path("cert.pem"), made.pem()).expect("a file");
        fs::write(self.path("key.pem"), key.serialize_pem()).expect("a file");
        self.certificate = made.der().clone();
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// What a server takes it by.
    pub fn args(&self) -> [String; 4] {
        let [chain, key] = ["cert.pem", "key.pem"].map(|name| self.path(name).display().to_string());
        ["--tls-cert".to_owned(), chain, "--tls-key".to_owned(), key]
    }

    /// Whoever trusts this trusts the certificate.
    pub fn authority(&self) -> &CertificateDer<'static> {
        self.authority.der()
    }

    /// The newest one.
    pub fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }
}
