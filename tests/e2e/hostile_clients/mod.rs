//! Strangers who reach the server with bytes of their own, and what they do not get done: each attack is a row with a
//! name. Sees what such a client sees, the server's own figures, and nothing inside.

mod bytes;
mod crowd;
mod door;
mod feeder;
mod kernels;
mod modes;
mod newcomers;
mod numbers;
mod profiles;
mod reading;
mod realm;
mod rest;
mod term;
mod terminal;
mod unsent;
mod values;
mod words;

use weevil_e2e::hostile::Stranger;
use weevil_e2e::hostile::cbor::uint;
use weevil_e2e::{DatabaseKind, job_workflow, on_each_database};

on_each_database!(a_client_made_of_bytes_is_welcome_and_computes);

/// What the other tests here stand on: where this fails, they prove nothing.
fn a_client_made_of_bytes_is_welcome_and_computes(kind: DatabaseKind) {
    let server = kind.server();
    let stranger = Stranger::of(&server.address);
    assert_eq!(stranger.get("/healthz").status, 200);
    let mut worker = stranger.join(1);
    assert_eq!(server.api().await_fleet(|fleet| fleet.workers.len() == 1).workers[0].id, worker.id);
    let run = server.api().run(&job_workflow("function weevil_main() { return 7 }", ""));
    worker.compute(1, &uint(7));
    assert_eq!(server.api().await_end(&run).result, Some(7.into()));
}
