//! Device keys: who proves the same key is the same device, who proves nothing is welcome all the same.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its scene must stop")]

use std::time::Instant;

use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
use weevil_e2e::{Browser, FakeWorker, Firefox, PATIENCE, TestServer, job_workflow, number, shipped};
use weevil_model::{ContentHash, RunState};
use weevil_protocol::frame::{ClientFrame, Identity, KeyKind, ServerFrame, Verdict};
use weevil_protocol::identity::signed_text;

pub(crate) fn ed25519(text: &[u8]) -> Identity {
    let pair = Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap();
    Identity {
        kind: KeyKind::Ed25519,
        key: pair.public_key().as_ref().to_vec().into(),
        signature: pair.sign(text).as_ref().to_vec().into(),
        token: None,
    }
}

fn p256(text: &[u8]) -> Identity {
    let random = SystemRandom::new();
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random).unwrap();
    Identity {
        kind: KeyKind::P256,
        key: pair.public_key().as_ref().to_vec().into(),
        signature: pair.sign(&random, text).unwrap().as_ref().to_vec().into(),
        token: None,
    }
}

/// The name of the only worker's device, once it has one.
fn device(server: &TestServer) -> String {
    let known =
        |fleet: &weevil_api::Fleet| matches!(fleet.workers.as_slice(), [worker] if worker.device.is_some());
    server.api().await_fleet(known);
    server.api().fleet().workers.remove(0).device.unwrap()
}

#[test]
fn the_same_key_is_the_same_device() {
    let server = TestServer::start(&[]);
    let mut names = Vec::new();
    for sign in [ed25519, ed25519, p256, p256] {
        let mut worker = FakeWorker::join(&server.address, 1);
        let text = signed_text(&worker.nonce, &server.address);
        worker.send(&ClientFrame::Identity(sign(&text)));
        names.push(device(&server));
        drop(worker);
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
    assert_eq!(names[0], names[1]);
    assert_eq!(names[0].len(), 8);
    assert_ne!(names[2], names[3], "two keys are two devices");
}

/// Signs a text, rightly or not.
type Sign = Box<dyn Fn(&[u8]) -> Identity>;

#[test]
fn what_was_not_signed_here_and_now_is_refused() {
    let server = TestServer::start(&[]);
    let address = server.address.as_str();
    let old = signed_text(&FakeWorker::join(address, 0).nonce, address);
    let other_key = |identity: Identity| Identity { key: ed25519(b"").key, ..identity };
    let bad: [(&str, Sign); 7] = [
        ("an old nonce", Box::new(move |_| ed25519(&old))),
        ("another server", Box::new(|nonce| ed25519(&signed_text(nonce, "evil.example")))),
        ("another purpose", Box::new(ed25519)),
        ("another key", Box::new(move |nonce| other_key(p256(nonce)))),
        ("another kind", Box::new(|nonce| Identity { kind: KeyKind::P256, ..ed25519(nonce) })),
        ("no key", Box::new(|nonce| Identity { key: vec![].into(), ..ed25519(nonce) })),
        ("no signature", Box::new(|nonce| Identity { signature: vec![0; 64].into(), ..ed25519(nonce) })),
    ];
    for (what, sign) in bad {
        let mut worker = FakeWorker::join(address, 0);
        let identity = sign(&worker.nonce);
        worker.send(&ClientFrame::Identity(identity));
        let frame = worker.frame();
        assert!(
            matches!(&frame, Some(ServerFrame::Refused { message, reload: false }) if message.contains("signature")),
            "{what}: {frame:?}"
        );
        assert_eq!(worker.frame(), None, "{what}: the connection ends");
    }
    let mut twice = FakeWorker::join(address, 0);
    let identity = ed25519(&signed_text(&twice.nonce, address));
    twice.send(&ClientFrame::Identity(identity.clone()));
    twice.send(&ClientFrame::Identity(identity));
    assert!(matches!(twice.frame(), Some(ServerFrame::Refused { .. })), "a nonce is signed once");
}

#[test]
fn a_worker_without_an_identity_works_like_everybody() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let key = worker.job().key;
    assert_eq!(worker.report(vec![(key, number(1.0))]), [Verdict::Accepted]);
    assert_eq!(server.api().await_end(&run).summary.state, RunState::Finished);
    server.api().await_fleet(|fleet| fleet.workers.len() == 1 && fleet.workers[0].device.is_none());
}

#[test]
fn accepted_work_is_counted_when_the_worker_leaves() {
    let server = TestServer::start(&[]);
    let run = server.api().run(&job_workflow("function weevil_main() { return 1 }", ""));
    let mut worker = FakeWorker::join(&server.address, 1);
    let identity = ed25519(&signed_text(&worker.nonce, &server.address));
    worker.send(&ClientFrame::Identity(identity.clone()));
    let key = worker.job().key;
    assert_eq!(worker.report(vec![(key, number(1.0))]), [Verdict::Accepted]);
    server.api().await_end(&run);
    worker.send(&ClientFrame::Bye);
    let fingerprint = ContentHash::of_parts([("ed25519", identity.key.as_slice())]);
    let deadline = Instant::now() + PATIENCE;
    while server.counted(fingerprint) != Some(1) {
        assert!(Instant::now() < deadline, "it is not counted");
    }
}

#[test]
fn a_browser_is_known_again_after_it_was_closed() {
    let server = TestServer::start(&[]);
    let browser = Browser::start();
    let mut names = Vec::new();
    for _ in 0..2 {
        let tab = browser.open(&server.url("/?autostart&slots=1"));
        names.push(device(&server));
        tab.close();
        server.api().await_fleet(|fleet| fleet.workers.is_empty());
    }
    let firefox = Firefox::start();
    let _tab = firefox.open(&server.url("/?autostart&slots=1"));
    names.push(device(&server));
    assert_eq!(names[0], names[1]);
    assert_ne!(names[0], names[2]);
    assert_eq!(server.api().await_end(&server.api().run(&shipped("add"))).result, Some(157.into()));
}
