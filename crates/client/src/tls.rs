//! Whom a client believes that it speaks to over TLS: authorities of a file, else the system's.
//!
//! Never goes on with a server that nobody there vouches for.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// For `https`; the authorities of the file `ca` take the place of the system's.
///
/// # Errors
/// In words for people: there is no authority to be believed.
pub(crate) fn config(ca: Option<&Path>) -> Result<TlsConfig, String> {
    let roots = match ca {
        Some(file) => of_file(file)?,
        None => of_system()?,
    };
    let roots: RootCerts = roots.iter().map(|root| Certificate::from_der(root).to_owned()).into();
    let config = TlsConfig::builder().root_certs(roots);
    Ok(config.unversioned_rustls_crypto_provider(Arc::new(default_provider())).build())
}

fn of_file(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let text = fs::read(file).map_err(|error| format!("--ca {} cannot be read: {error}", file.display()))?;
    let roots = CertificateDer::pem_slice_iter(&text).collect::<Result<Vec<_>, _>>();
    roots.ok().filter(|roots| !roots.is_empty()).ok_or_else(|| {
        format!("--ca {} holds no certificate in PEM (`-----BEGIN CERTIFICATE-----`)", file.display())
    })
}

fn of_system() -> Result<Vec<CertificateDer<'static>>, String> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        return Err("this system knows no certificate authorities: install its package `ca-certificates`, or name the \
                    server's with --ca"
            .to_owned());
    }
    Ok(found.certs)
}

#[cfg(test)]
mod tests {
    use super::config;

    #[test]
    fn what_holds_no_authority_is_refused_in_words() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("ca.pem");
        for (text, words) in [
            (None, "cannot be read"),
            (Some(""), "holds no certificate"),
            (Some("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), "holds no certificate"),
            (Some("-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----\n"), "holds no certificate"),
        ] {
            if let Some(text) = text {
                std::fs::write(&file, text).unwrap();
            }
            assert!(config(Some(&file)).unwrap_err().contains(words), "{text:?}");
        }
    }
}
