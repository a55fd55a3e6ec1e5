//! The ledger: what each place holds, what all hold together, what each has used up of what comes back with time.
//!
//! Knows 65,536 places; beyond that newcomers share one account. Time is an argument.

use std::collections::HashMap;

use weevil_model::Timestamp;

use crate::place::Place;
use crate::table::{Bound, Flow, MAX_DEBT, Rate, Row, Table};

/// Places with an account of their own.
pub const MAX_PLACES: usize = 65_536;
/// How often accounts that hold nothing are looked for while there is no room for a new one.
const SWEEP_EVERY_MS: i64 = 1000;
const MS_A_MINUTE: u64 = 60_000;
const ROWS: usize = Row::ALL.len();
const FLOWS: usize = Flow::ALL.len();

/// Which bound is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    Place,
    All,
}

/// Something that was charged. It is given back to the ledger that made it.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "what is charged comes back only by `give_back`"]
pub struct Charge {
    row: Row,
    place: Place,
    /// Charged to the account that newcomers share.
    shared: bool,
    amount: u64,
}

#[derive(Debug)]
pub struct Ledger {
    table: Table,
    accounts: HashMap<Place, Account>,
    /// One account for all places that came when there was no room for them.
    shared: Account,
    all: [u64; ROWS],
    refused: ([u64; ROWS], [u64; FLOWS]),
    swept_at: Option<Timestamp>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Account {
    held: [u64; ROWS],
    spent: [Spent; FLOWS],
}

/// What of a flow has not come back yet, at some moment. In parts of 1/60,000, so that a millisecond brings back whole ones.
#[derive(Debug, Default, Clone, Copy)]
struct Spent {
    parts: u64,
    at: Timestamp,
}

impl Spent {
    fn now(self, rate: Rate, now: Timestamp) -> u64 {
        let passed = u64::try_from(now.since(self.at)).unwrap_or(0);
        self.parts.saturating_sub(passed.saturating_mul(rate.a_minute))
    }
}

impl Charge {
    pub const fn row(&self) -> Row {
        self.row
    }
}

impl Account {
    fn is_idle(&self, now: Timestamp) -> bool {
        let spent = |flow: Flow| self.spent[flow as usize].now(Table::rate(flow), now);
        self.held.iter().all(|held| *held == 0) && Flow::ALL.into_iter().all(|flow| spent(flow) == 0)
    }
}

impl Ledger {
    pub fn new(table: Table) -> Self {
        Self {
            table,
            accounts: HashMap::new(),
            shared: Account::default(),
            all: [0; ROWS],
            refused: ([0; ROWS], [0; FLOWS]),
            swept_at: None,
        }
    }

    /// Counts so much more of a row for a place, unless that is beyond what it or all may hold.
    pub fn charge(&mut self, place: Place, row: Row, amount: u64, now: Timestamp) -> Result<Charge, Full> {
        let shared = self.is_shared(place, now);
        let mut charge = Charge { row, place, shared, amount: 0 };
        let grown = self.extend(&mut charge, amount);
        self.forget_idle(place, shared, now);
        grown.map(|()| charge)
    }

    /// Counts so much more with what is charged already.
    pub fn extend(&mut self, charge: &mut Charge, more: u64) -> Result<(), Full> {
        let (row, place) = (charge.row as usize, charge.place);
        let Bound { place: most, all } = self.table.bound(charge.row);
        let total = self.all[row];
        let account = self.account(place, charge.shared);
        let held = account.held[row];
        let full = match (held.checked_add(more), total.checked_add(more)) {
            (Some(held), _) if place.is_bounded() && held > most => Some(Full::Place),
            (Some(_), Some(total)) if total <= all => None,
            _ => Some(Full::All),
        };
        if let Some(full) = full {
            return Err(full);
        }
        account.held[row] = held + more;
        self.all[row] = total + more;
        charge.amount += more;
        Ok(())
    }

    #[expect(clippy::needless_pass_by_value, reason = "a charge is given back once: it must be gone then")]
    pub fn give_back(&mut self, charge: Charge, now: Timestamp) {
        let Charge { row, place, shared, amount } = charge;
        let all = &mut self.all[row as usize];
        *all = all.saturating_sub(amount);
        let held = &mut self.account(place, shared).held[row as usize];
        *held = held.saturating_sub(amount);
        self.forget_idle(place, shared, now);
    }

    /// Makes a charge as much as `least`, and more up to `most` as far as there is room. Answers how much more it is.
    pub fn resize(&mut self, charge: &mut Charge, least: u64, most: u64) -> u64 {
        let row = charge.row as usize;
        let less = charge.amount.saturating_sub(least);
        charge.amount -= less;
        self.all[row] = self.all[row].saturating_sub(less);
        let held = &mut self.account(charge.place, charge.shared).held[row];
        *held = held.saturating_sub(less);
        let room = self.room(charge.place, charge.row);
        let more = most.saturating_sub(charge.amount).min(room);
        let grown = self.extend(charge, more);
        if grown.is_ok() { charge.amount.saturating_sub(least) } else { 0 }
    }

    /// Uses so much of what comes back with time, unless there is less left.
    pub fn spend(&mut self, place: Place, flow: Flow, amount: u64, now: Timestamp) -> Result<(), Full> {
        if !place.is_bounded() {
            return Ok(());
        }
        let rate = Table::rate(flow);
        let spent = &mut self.account_of(place, now).spent[flow as usize];
        let parts = spent.now(rate, now).saturating_add(amount.saturating_mul(MS_A_MINUTE));
        if parts > rate.burst.saturating_mul(MS_A_MINUTE) {
            return Err(Full::Place);
        }
        *spent = Spent { parts, at: now };
        Ok(())
    }

    /// Something has happened that nobody could refuse: what is left grows less, down to nothing and a bounded debt.
    pub fn note(&mut self, place: Place, flow: Flow, amount: u64, now: Timestamp) {
        if place.is_bounded() {
            let rate = Table::rate(flow);
            let spent = &mut self.account_of(place, now).spent[flow as usize];
            let parts = spent.now(rate, now).saturating_add(amount.saturating_mul(MS_A_MINUTE));
            let most = rate.burst.saturating_add(MAX_DEBT).saturating_mul(MS_A_MINUTE);
            *spent = Spent { parts: parts.min(most), at: now };
        }
    }

    /// Milliseconds until a place may use so much; at least the time in which the last of it comes back.
    pub fn until(&self, place: Place, flow: Flow, amount: u64, now: Timestamp) -> u64 {
        let Rate { burst, a_minute } = Table::rate(flow);
        let account = self.accounts.get(&place).unwrap_or(&self.shared);
        let parts = account.spent[flow as usize].now(Rate { burst, a_minute }, now);
        let wanted = parts.saturating_add(amount.saturating_mul(MS_A_MINUTE));
        wanted.saturating_sub(burst.saturating_mul(MS_A_MINUTE)).div_ceil(a_minute)
    }

    /// How much more a place may use at this moment.
    pub fn left(&self, place: Place, flow: Flow, now: Timestamp) -> u64 {
        if !place.is_bounded() {
            return u64::MAX;
        }
        let rate = Table::rate(flow);
        let account = self.accounts.get(&place).unwrap_or(&self.shared);
        let parts = account.spent[flow as usize].now(rate, now);
        rate.burst.saturating_sub(parts.div_ceil(MS_A_MINUTE))
    }

    /// May a place hold so much more of a row?
    pub fn has_room(&self, place: Place, row: Row, amount: u64) -> Result<(), Full> {
        let Bound { place: most, all } = self.table.bound(row);
        let account = self.accounts.get(&place).unwrap_or(&self.shared);
        let held = account.held[row as usize].saturating_add(amount);
        if place.is_bounded() && held > most {
            return Err(Full::Place);
        }
        if self.used(row).saturating_add(amount) > all { Err(Full::All) } else { Ok(()) }
    }

    /// How much more of a row a place may hold.
    pub fn room(&self, place: Place, row: Row) -> u64 {
        let Bound { place: most, all } = self.table.bound(row);
        let total = all.saturating_sub(self.all[row as usize]);
        if !place.is_bounded() {
            return total;
        }
        let account = self.accounts.get(&place).unwrap_or(&self.shared);
        total.min(most.saturating_sub(account.held[row as usize]))
    }

    /// What all places hold of a row.
    pub fn used(&self, row: Row) -> u64 {
        self.all[row as usize]
    }

    /// What one place, and all together, may hold of a row.
    pub const fn bound(&self, row: Row) -> Bound {
        self.table.bound(row)
    }

    /// Somebody was turned away for want of room.
    pub const fn refused(&mut self, row: Row) {
        self.refused.0[row as usize] += 1;
    }

    /// Somebody was turned away who had used up what comes back.
    pub const fn refused_flow(&mut self, flow: Flow) {
        self.refused.1[flow as usize] += 1;
    }

    /// How often somebody was turned away, by row and flow.
    pub fn refusals(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let (rows, flows) = &self.refused;
        let rows = Row::ALL.into_iter().map(Row::name).zip(rows.iter().copied());
        rows.chain(Flow::ALL.into_iter().map(Flow::name).zip(flows.iter().copied()))
    }

    /// Places with an account of their own.
    pub fn places(&self) -> usize {
        self.accounts.len()
    }

    /// Forgets places that hold nothing and have everything back.
    pub fn sweep(&mut self, now: Timestamp) {
        self.swept_at = Some(now);
        self.accounts.retain(|_, account| !account.is_idle(now));
    }

    /// Gives a place an account where there is room for one.
    fn is_shared(&mut self, place: Place, now: Timestamp) -> bool {
        if self.accounts.contains_key(&place) {
            return false;
        }
        if self.accounts.len() >= MAX_PLACES && self.swept_at.is_none_or(|at| now.since(at) >= SWEEP_EVERY_MS)
        {
            self.sweep(now);
        }
        if self.accounts.len() >= MAX_PLACES {
            return true;
        }
        self.accounts.insert(place, Account::default());
        false
    }

    fn account(&mut self, place: Place, shared: bool) -> &mut Account {
        if shared { &mut self.shared } else { self.accounts.entry(place).or_default() }
    }

    fn account_of(&mut self, place: Place, now: Timestamp) -> &mut Account {
        let shared = self.is_shared(place, now);
        self.account(place, shared)
    }

    fn forget_idle(&mut self, place: Place, shared: bool, now: Timestamp) {
        if !shared && self.accounts.get(&place).is_some_and(|account| account.is_idle(now)) {
            self.accounts.remove(&place);
        }
    }
}

#[cfg(test)]
mod tests;
