//! A worker may prove which device it is: once, with a signature for this connection and this server.

use ring::signature::{Ed25519KeyPair, KeyPair};
use weevil_engine::feeder::Request;
use weevil_engine::parcel::Parcel;
use weevil_model::ContentHash;
use weevil_protocol::frame::{ClientFrame, Identity, KeyKind};
use weevil_protocol::identity::signed_text;

use super::bed::{Bed, claimed, words};
use super::socket::{HOST, Socket, results};

fn pair() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

fn identity(kind: KeyKind, nonce: &[u8], host: &str) -> ClientFrame {
    let (key, signature) = (pair().public_key().as_ref().to_vec(), pair().sign(&signed_text(nonce, host)));
    ClientFrame::Identity(Identity {
        kind,
        key: key.into(),
        signature: signature.as_ref().to_vec().into(),
        token: None,
    })
}

fn fingerprint() -> ContentHash {
    ContentHash::of_parts([("ed25519", pair().public_key().as_ref())])
}

#[actix::test]
async fn what_a_device_reports_after_its_proof_is_its_own() {
    let mut bed = Bed::new().await;
    let (socket, nonce) = Socket::welcome(&bed).await;
    let contact = bed.joined().await;
    contact.assign(vec![claimed(1, 0), claimed(2, 0)], Parcel::default());
    let mut devices = Vec::new();
    for number in [1, 2] {
        socket.send(&results([(number, &[0xf6][..])]));
        match bed.request().await {
            Request::Complete { submissions, .. } => devices.push(submissions[0].reporter.device),
            other => panic!("{}", words(&other)),
        }
        if number == 1 {
            socket.send(&identity(KeyKind::Ed25519, &nonce, HOST));
            let name: String = fingerprint().to_string().chars().take(8).collect();
            assert_eq!(bed.asked().await, format!("identified {name}"));
        }
    }
    assert_eq!(devices, [None, Some(fingerprint())]);
}

#[actix::test]
async fn a_signature_that_does_not_hold_ends_the_connection() {
    for (kind, nonce_of, host) in [
        (KeyKind::Ed25519, "another connection", HOST),
        (KeyKind::Ed25519, "this one", "elsewhere.example"),
        (KeyKind::P256, "this one", HOST),
    ] {
        let mut bed = Bed::new().await;
        let (mut socket, nonce) = Socket::welcome(&bed).await;
        bed.joined().await;
        let nonce = if nonce_of == "this one" { nonce } else { vec![7; 32] };
        socket.send(&identity(kind, &nonce, host));
        assert_eq!(
            socket.refused().await.0,
            "the signature is not one of this device key",
            "{kind:?} {host}"
        );
        assert_eq!(bed.left(), ["leave lost"]);
    }
}

#[actix::test]
async fn a_nonce_is_signed_once() {
    let mut bed = Bed::new().await;
    let (mut socket, nonce) = Socket::welcome(&bed).await;
    bed.joined().await;
    for _ in 0..2 {
        socket.send(&identity(KeyKind::Ed25519, &nonce, HOST));
    }
    assert_eq!(socket.refused().await.0, "the signature is not one of this device key");
    let asked = bed.left();
    assert!(asked[0].starts_with("identified") && asked[1..] == ["leave lost"], "{asked:?}");
}
