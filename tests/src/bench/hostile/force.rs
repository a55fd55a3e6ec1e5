//! The attacker's process: a hundred sockets that together spend no more than their share of a core. Prints how long it
//! took and the share that it has spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use weevil_e2e::cpu_seconds;
use weevil_e2e::hostile::{Stranger, many_descriptors};

use super::attacks::{ATTACKS, Attack};
use super::flood::{FLOOD, flood};

/// What spends its share on nothing.
pub(super) const PEACE: &str = "peace";
/// Every attack, each by some of the sockets.
pub(super) const ALL: &str = "all";
const SOCKETS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(20);
const REST: Duration = Duration::from_millis(100);

/// What all sockets share: when it is over, and whether there is anything left to spend.
#[derive(Debug)]
pub(super) struct Force {
    began: Instant,
    time: Duration,
    share: f64,
    /// Processor time that starting took: nobody's attack.
    before: f64,
    /// Something is left to spend, as `measure` last saw it: a look costs time, too.
    left: AtomicBool,
}

impl Force {
    fn new(share: f64, time: Duration) -> Self {
        Self { began: Instant::now(), time, share, before: own_cpu(), left: AtomicBool::new(true) }
    }

    /// Waits until there is something to spend. False once the time is over.
    pub(super) fn goes_on(&self) -> bool {
        while !self.left.load(Ordering::Relaxed) && !self.over() {
            thread::sleep(PAUSE);
        }
        !self.over()
    }

    /// Looks what has been spent, again and again, until the time is over.
    fn measure(&self) {
        while self.waits(PAUSE) {
            self.left.store(self.spent() <= self.share, Ordering::Relaxed);
        }
    }

    /// Waits, as who has done its part. False once the time is over.
    pub(super) fn waits(&self, time: Duration) -> bool {
        thread::sleep(time.min(self.time.saturating_sub(self.began.elapsed())));
        !self.over()
    }

    /// As `waits`, until so long after the beginning.
    pub(super) fn waits_until(&self, moment: Duration) -> bool {
        self.waits(moment.saturating_sub(self.began.elapsed()))
    }

    /// A short pause, after which the same is tried again while the time lasts.
    pub(super) fn rests(&self) {
        self.waits(REST);
    }

    fn over(&self) -> bool {
        self.began.elapsed() >= self.time
    }

    fn spent(&self) -> f64 {
        (own_cpu() - self.before) / self.began.elapsed().as_secs_f64()
    }
}

fn own_cpu() -> f64 {
    cpu_seconds(std::process::id())
}

/// `ATTACK ADDRESS PLACES SHARE SECONDS`, as the words after the name of the bench.
pub(crate) fn once(words: &[String]) {
    let [attack, address, places, share, seconds] = words else {
        panic!("an attack, an address, places, a share and seconds are expected, not {words:?}")
    };
    many_descriptors();
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let force = Arc::new(Force::new(number(share), Duration::from_secs_f64(number(seconds))));
    let chosen: Vec<_> =
        ATTACKS.iter().filter(|known| [known.name, ALL].contains(&attack.as_str())).collect();
    if attack == FLOOD {
        flood(address, places.parse().expect("a number"), &force);
    } else if chosen.is_empty() {
        let spending = force.clone();
        thread::spawn(move || spend(&spending));
    } else {
        attack_with(&chosen, address, number(places), &force);
    }
    force.measure();
    println!("{} {}", force.began.elapsed().as_secs_f64(), force.spent());
}

fn attack_with(attacks: &[&'static Attack], address: &str, places: f64, force: &Arc<Force>) {
    for (socket, attack) in (0..SOCKETS).zip(attacks.iter().copied().cycle()) {
        let stranger = Stranger::of(address);
        let place = format!("198.51.100.{}", f64::from(socket) % places + 1.0);
        // This machine itself is no place that bounds bind.
        let stranger = stranger.from(&place);
        let force = force.clone();
        // A socket that nobody answers any more ends with the process.
        thread::spawn(move || {
            while force.goes_on() {
                (attack.run)(&stranger, &force);
            }
        });
    }
}

fn spend(force: &Force) {
    while force.goes_on() {
        let until = Instant::now() + PAUSE / 4;
        while Instant::now() < until {
            std::hint::spin_loop();
        }
    }
}
