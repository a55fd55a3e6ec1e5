//! Volunteers who compute in threads of their own until the server goes: each a device in a network of its own, and each says what it
//! will.

use std::thread::JoinHandle;

use weevil_e2e::{FakeWorker, TestServer, number, sum_of};
use weevil_protocol::frame::{Assignment, AttemptResult, ClientFrame, ServerFrame};

use super::scene::browser;

/// What the volunteer with this number makes of the value that a job has.
pub(super) type Says = fn(u8, f64) -> f64;

pub(super) const RIGHT: Says = |_, value| value;
pub(super) const WRONG: Says = |_, value| value + 1000.0;

/// What a browser says of itself.
pub(super) const CHROMIUM: &str = "Mozilla/5.0 AppleWebKit/537.36 Chrome/140.0 Safari/537.36";
pub(super) const GECKO: &str = "Mozilla/5.0 Gecko/20100101 Firefox/140.0";

/// A volunteer: its number, its browser, and what it says.
pub(super) type Kind = (u8, &'static str, Says);

/// Each in a thread of its own.
pub(super) fn fleet(server: &TestServer, volunteers: &[Kind]) -> Vec<JoinHandle<()>> {
    let start = |&(number, agent, says): &Kind| {
        one(server, (number, agent), move |job: &Assignment| says(number, sum_of(&job.input)))
    };
    volunteers.iter().map(start).collect()
}

/// The volunteer with this number and this browser, in a thread of its own. Says this of each job.
pub(super) fn one(
    server: &TestServer,
    (number, agent): (u8, &str),
    says: impl FnMut(&Assignment) -> f64 + Send + 'static,
) -> JoinHandle<()> {
    let worker = browser(server, number, agent);
    std::thread::spawn(move || _ = compute(worker, says))
}

/// The server goes, and with it its volunteers; it comes back, and breaks no rule.
pub(super) fn end(mut server: TestServer, fleet: Vec<JoinHandle<()>>) {
    leave(&mut server, fleet);
    server.restart();
    server.audit();
}

/// The server goes, and with it its volunteers.
pub(super) fn leave(server: &mut TestServer, fleet: Vec<JoinHandle<()>>) {
    server.kill();
    for volunteer in fleet {
        volunteer.join().expect("a volunteer ends with its server");
    }
}

/// Computes until its device has to rest, or the server goes. Answers whether it rests.
pub(super) fn compute(mut worker: FakeWorker, mut says: impl FnMut(&Assignment) -> f64) -> bool {
    worker.capacity = 4;
    worker.wait_for_ever();
    let wants = ClientFrame::Heartbeat {
        holding: vec![],
        slots: 1,
        capacity: worker.capacity,
        progress: vec![],
        duty: None,
    };
    if !worker.try_send(&wants) {
        return false;
    }
    while let Some(frame) = worker.any_frame() {
        match frame {
            ServerFrame::Assign { jobs, .. } => {
                let results = jobs.iter().map(|job| told(job, says(job))).collect();
                if !worker.try_send(&ClientFrame::Results { results, capacity: worker.capacity }) {
                    return false;
                }
            }
            ServerFrame::Standing(standing) if standing.rests_until.is_some() => return true,
            _ => {}
        }
    }
    false
}

fn told(job: &Assignment, said: f64) -> AttemptResult {
    AttemptResult { key: job.key, outcome: number(said), slot: 0, compute_us: 1, flops: 0.0, log: None }
}
