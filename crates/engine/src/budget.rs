//! The one shell around the ledger of places: a lock, the clock, and permits that give back when they are dropped.
//!
//! Nobody else counts peers. The lock is held for sums alone, never while anybody waits.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use weevil_model::PlaceNumber;
use weevil_peer::{
    Bound, Charge, Flow, Full, Ledger, Lines, Place, Proxies, Row, Table, Trouble, WitnessNetwork,
};

use crate::clock::SharedClock;

/// How often the log says that a proxy is not named.
const TELL_EVERY_MS: i64 = 60 * 60 * 1000;

pub type SharedBudget = Arc<Budget>;

/// Who asks, as far as the ledger knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer(Place);

impl Peer {
    /// Whether bounds per place hold for it.
    pub const fn is_bounded(self) -> bool {
        self.0.is_bounded()
    }

    /// The network that it is a witness from; `None` where everybody has such addresses at home.
    pub fn network(self) -> Option<WitnessNetwork> {
        WitnessNetwork::of_place(self.0)
    }
}

/// For people: the audit, and who looks at their own sessions.
impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

pub struct Budget {
    ledger: Mutex<Ledger>,
    clock: SharedClock,
    proxies: Proxies,
    /// Makes numbers of places that say nothing of addresses.
    key: [u8; 16],
    /// Something was given back.
    room: Notify,
    unreadable: AtomicU64,
    told_at: AtomicI64,
}

/// What is used of the budgets at this moment, and how often they were full.
#[derive(Debug)]
pub struct Usage {
    pub used: Vec<(&'static str, u64)>,
    pub refusals: Vec<(&'static str, u64)>,
    pub places: u64,
    pub unreadable: u64,
}

/// Why a worker that comes gets no seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoSeat {
    /// Its place has had too many arrivals.
    TooOften,
    /// Its place has all the seats that one place may have: so many.
    PlaceFull(u64),
    /// The server has all the workers that it may have: so many.
    FleetFull(u64),
}

/// Something that a place holds; given back when dropped.
pub struct Permit {
    budget: SharedBudget,
    charge: Option<Charge>,
}

impl Budget {
    pub fn new(table: Table, proxies: Proxies, key: [u8; 16], clock: SharedClock) -> SharedBudget {
        Arc::new(Self {
            ledger: Mutex::new(Ledger::new(table)),
            clock,
            proxies,
            key,
            room: Notify::new(),
            unreadable: AtomicU64::new(0),
            told_at: AtomicI64::new(i64::MIN),
        })
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whose request it is. Without an address it counts as loopback's own, behind a proxy.
    pub fn peer(&self, address: Option<IpAddr>, lines: Lines<'_>) -> Peer {
        let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let seen = self.proxies.see(address, lines);
        match seen.trouble {
            None => {}
            Some(Trouble::Unreadable) => {
                self.unreadable.fetch_add(1, Ordering::Relaxed);
            }
            Some(Trouble::NotNamed) => self.tell_of_a_proxy(),
        }
        Peer(seen.place)
    }

    /// Whether a proxy that was named stands between.
    pub fn trusts(&self, address: Option<IpAddr>) -> bool {
        address.is_some_and(|address| self.proxies.trust(address))
    }

    /// Whoever opens a connection, before it has said anything; `None` for a proxy that is trusted.
    pub fn newcomer(&self, address: IpAddr) -> Option<Peer> {
        if self.proxies.trust(address) {
            return None;
        }
        Some(Peer(self.proxies.see(address, Lines::default()).place))
    }

    fn tell_of_a_proxy(&self) {
        let now = self.clock.now().0;
        let told_at = self.told_at.load(Ordering::Relaxed);
        let due = now.saturating_sub(told_at) >= TELL_EVERY_MS;
        if due && self.told_at.compare_exchange(told_at, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            tracing::warn!(
                "somebody sends X-Forwarded-For or Forwarded and is no proxy that was named: all behind it count as one \
                 place; if it is yours, name it with --trusted-proxy"
            );
        }
    }

    pub fn number(&self, Peer(place): Peer) -> PlaceNumber {
        place.number(&self.key)
    }

    /// Lets a place hold so much of a row, or says which bound is reached.
    pub fn take(self: &Arc<Self>, peer: Peer, row: Row, amount: u64) -> Result<Permit, Full> {
        let taken = self.try_take(peer, row, amount);
        if taken.is_err() {
            self.ledger().refused(row);
        }
        taken
    }

    fn try_take(self: &Arc<Self>, Peer(place): Peer, row: Row, amount: u64) -> Result<Permit, Full> {
        let charge = self.ledger().charge(place, row, amount, self.clock.now())?;
        Ok(Permit { budget: self.clone(), charge: Some(charge) })
    }

    /// As `take`, but waits so long for room.
    pub async fn wait(
        self: &Arc<Self>,
        peer: Peer,
        row: Row,
        amount: u64,
        patience: Duration,
    ) -> Result<Permit, Full> {
        let mut permit = self.take_nothing(peer, row)?;
        permit.grow(amount, patience).await.map(|()| permit)
    }

    /// A permit for nothing yet, that can grow.
    pub(crate) fn take_nothing(self: &Arc<Self>, peer: Peer, row: Row) -> Result<Permit, Full> {
        self.try_take(peer, row, 0)
    }

    /// Leave to check something large, as soon as fewer than there are cores do.
    pub async fn checking(self: &Arc<Self>, peer: Peer) -> Option<Permit> {
        self.wait(peer, Row::Checks, 1, Duration::MAX).await.ok()
    }

    /// Is there room for so much more?
    pub fn has_room(&self, Peer(place): Peer, row: Row, amount: u64) -> Result<(), Full> {
        self.ledger().has_room(place, row, amount)
    }

    /// Does nobody hold anything of a row?
    pub(crate) fn is_unused(&self, row: Row) -> bool {
        self.ledger().used(row) == 0
    }

    /// How much more of a row all places together may hold.
    pub(crate) fn room_of_all(&self, row: Row) -> u64 {
        let ledger = self.ledger();
        ledger.bound(row).all.saturating_sub(ledger.used(row))
    }

    /// A seat for one worker that comes.
    pub fn seat(self: &Arc<Self>, peer: Peer) -> Result<Permit, NoSeat> {
        self.spend(peer, Flow::Arrivals, 1).map_err(|_| NoSeat::TooOften)?;
        self.take(peer, Row::Seats, 1).map_err(|full| self.no_seat(full))
    }

    /// Why there is no seat.
    pub fn no_seat(&self, full: Full) -> NoSeat {
        let Bound { place, all } = self.ledger().bound(Row::Seats);
        match full {
            Full::Place => NoSeat::PlaceFull(place),
            Full::All => NoSeat::FleetFull(all),
        }
    }

    /// Uses up something that comes back with time, where there is enough left.
    pub fn spend(&self, Peer(place): Peer, flow: Flow, amount: u64) -> Result<(), Full> {
        let now = self.clock.now();
        let mut ledger = self.ledger();
        let spent = ledger.spend(place, flow, amount, now);
        if spent.is_err() {
            ledger.refused_flow(flow);
        }
        spent
    }

    /// Waits until so much has come back, and uses it up.
    pub async fn spend_later(&self, Peer(place): Peer, flow: Flow, amount: u64) {
        loop {
            let now = self.clock.now();
            let wait = {
                let mut ledger = self.ledger();
                match ledger.spend(place, flow, amount, now) {
                    Ok(()) => return,
                    Err(_) => ledger.until(place, flow, amount, now),
                }
            };
            tokio::time::sleep(Duration::from_millis(wait.max(1))).await;
        }
    }

    /// Something has happened that nobody could refuse.
    pub fn note(&self, Peer(place): Peer, flow: Flow, amount: u64) {
        let now = self.clock.now();
        self.ledger().note(place, flow, amount, now);
    }

    /// How much more a place may use at this moment.
    pub fn left(&self, Peer(place): Peer, flow: Flow) -> u64 {
        let now = self.clock.now();
        self.ledger().left(place, flow, now)
    }

    pub fn usage(&self) -> Usage {
        let mut ledger = self.ledger();
        ledger.sweep(self.clock.now());
        Usage {
            used: Row::ALL.into_iter().map(|row| (row.name(), ledger.used(row))).collect(),
            refusals: ledger.refusals().collect(),
            places: ledger.places() as u64,
            unreadable: self.unreadable.load(Ordering::Relaxed),
        }
    }
}

impl Permit {
    /// Holds so much more, as soon as there is room for it.
    pub async fn grow(&mut self, more: u64, patience: Duration) -> Result<(), Full> {
        let budget = self.budget.clone();
        let growing = async {
            loop {
                let given_back = budget.room.notified();
                tokio::pin!(given_back);
                given_back.as_mut().enable();
                if self.try_grow(more).is_ok() {
                    return;
                }
                given_back.await;
            }
        };
        if tokio::time::timeout(patience, growing).await.is_ok() {
            return Ok(());
        }
        if let Some(charge) = &self.charge {
            budget.ledger().refused(charge.row());
        }
        self.try_grow(more)
    }

    /// Holds `least`, and more up to `most` as far as there is room. Answers how much more.
    pub(crate) fn resize_towards(&mut self, least: u64, most: u64) -> u64 {
        let Some(charge) = &mut self.charge else { return 0 };
        self.budget.ledger().resize(charge, least, most)
    }

    fn try_grow(&mut self, more: u64) -> Result<(), Full> {
        let Some(charge) = &mut self.charge else { return Ok(()) };
        self.budget.ledger().extend(charge, more)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(charge) = self.charge.take() {
            let now = self.budget.clock.now();
            self.budget.ledger().give_back(charge, now);
            self.budget.room.notify_waiters();
        }
    }
}
