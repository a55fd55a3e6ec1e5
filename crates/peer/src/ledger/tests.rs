//! The ledger tried: tables of its rules, and what holds in every order of charges and returns.

use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::*;
use crate::table::Settings;

const MIB: u64 = 1024 * 1024;
const START: Timestamp = Timestamp(1_000_000);

fn ledger() -> Ledger {
    Ledger::new(Table::new(Settings {
        seats: 10_000,
        workers_per_address: 512,
        transfer_mib: 128,
        cores: 2,
        descriptors: u64::MAX,
    }))
}

fn place(number: u32) -> Place {
    Place::V4(Ipv4Addr::from_bits(number))
}

/// How many ones fit, and what is full then.
fn fill(ledger: &mut Ledger, place: Place, row: Row, amount: u64) -> (Vec<Charge>, Full) {
    let mut charges = Vec::new();
    loop {
        match ledger.charge(place, row, amount, START) {
            Ok(charge) => charges.push(charge),
            Err(full) => return (charges, full),
        }
    }
}

#[test]
fn each_row_ends_where_the_table_says() {
    for (row, amount, one_place, all) in [
        (Row::Connections, 1, 4096, 16_384),
        (Row::Lobby, 1, 64, 1024),
        (Row::Seats, 1, 512, 10_000),
        (Row::Unfinished, MIB, 48, 128),
        (Row::Unanswered, MIB, 48, 64),
        (Row::Unsent, MIB, 48, 64),
        (Row::Streams, 1, 32, 256),
        (Row::Waits, 1, 64, 1024),
        (Row::LargeReads, 1, 2, 4),
        (Row::Checks, 1, 2, 2),
    ] {
        let mut ledger = ledger();
        let (mut charges, full) = fill(&mut ledger, place(1), row, amount);
        assert_eq!(charges.len(), one_place, "{row:?}");
        assert_eq!(full, if one_place < all { Full::Place } else { Full::All }, "{row:?}");
        for other in 2.. {
            let (more, full) = fill(&mut ledger, place(other), row, amount);
            charges.extend(more);
            if full == Full::All {
                break;
            }
        }
        assert_eq!(charges.len(), all, "{row:?}");
        assert_eq!(ledger.used(row), ledger.bound(row).all, "{row:?}");
        assert_eq!(ledger.charge(Place::Loopback, row, amount, START), Err(Full::All), "{row:?}");
        for charge in charges {
            ledger.give_back(charge, START);
        }
        let (charges, _) = fill(&mut ledger, Place::Loopback, row, amount);
        assert_eq!(charges.len(), all, "{row:?}: bounds per place do not bind on loopback");
    }
    let mut ledger = ledger();
    assert_eq!(fill(&mut ledger, place(1), Row::Newcomers, 1).0.len(), 512);
}

#[test]
fn flows_come_back_with_time() {
    let cases = [
        (Flow::Arrivals, 1024, 60_000, 512),
        (Flow::Unasked, 4096, 60_000, 4096),
        (Flow::UnaskedBytes, 64 * MIB, 30_000, 32 * MIB),
        (Flow::Returns, 4096, 1000, 7),
    ];
    for (flow, burst, after, back) in cases {
        let mut ledger = ledger();
        ledger.spend(place(1), flow, burst, START).unwrap();
        assert_eq!(ledger.spend(place(1), flow, 1, START), Err(Full::Place), "{flow:?}");
        assert_eq!(ledger.spend(place(2), flow, 1, START), Ok(()), "{flow:?}");
        let later = START.plus_ms(after);
        assert_eq!(ledger.left(place(1), flow, later), back, "{flow:?}");
        assert_eq!(ledger.spend(place(1), flow, back + 1, later), Err(Full::Place), "{flow:?}");
        if back < burst {
            let wait = ledger.until(place(1), flow, back + 1, later).cast_signed();
            let left = |ms| ledger.left(place(1), flow, later.plus_ms(ms));
            assert!(left(wait) > back && left(wait - 1) <= back, "{flow:?}: {wait}");
        }
        assert_eq!(ledger.spend(place(1), flow, back, later), Ok(()), "{flow:?}");
        assert_eq!(
            ledger.spend(place(1), flow, 1, START),
            Err(Full::Place),
            "a clock that goes back: {flow:?}"
        );
        assert_eq!(ledger.spend(Place::Loopback, flow, u64::MAX, later), Ok(()), "{flow:?}");
    }
}

#[test]
fn what_has_happened_is_noted_and_owed_up_to_a_bound() {
    let mut ledger = ledger();
    ledger.note(place(1), Flow::Returns, 1_000_000, START);
    assert_eq!(ledger.left(place(1), Flow::Returns, START), 0);
    for (seconds, left) in [(10, 0), (73, 0), (74, 6), (84, 76)] {
        assert_eq!(ledger.left(place(1), Flow::Returns, START.plus_ms(seconds * 1000)), left, "{seconds}");
    }
}

#[test]
fn newcomers_share_an_account_when_there_is_no_room() {
    let mut ledger = ledger();
    let known: Vec<Charge> = (0..u32::try_from(MAX_PLACES).unwrap())
        .map(|number| ledger.charge(place(number), Row::Unanswered, 0, START).unwrap())
        .collect();
    assert_eq!(ledger.places(), 0, "a place that holds nothing is forgotten");
    drop(known);
    for number in 0..u32::try_from(MAX_PLACES).unwrap() {
        ledger.spend(place(number), Flow::Arrivals, 1, START).unwrap();
    }
    assert_eq!(ledger.places(), MAX_PLACES);
    let (one, other) = (place(u32::MAX), place(u32::MAX - 1));
    let (mut charges, _) = fill(&mut ledger, one, Row::Lobby, 1);
    assert_eq!((charges.len(), ledger.charge(other, Row::Lobby, 1, START)), (64, Err(Full::Place)));
    ledger.give_back(charges.pop().unwrap(), START);
    assert!(ledger.charge(other, Row::Lobby, 1, START).is_ok());
    assert_eq!(ledger.places(), MAX_PLACES);
    let later = START.plus_ms(60_000);
    assert!(ledger.charge(other, Row::Lobby, 1, later).is_ok(), "there is room for accounts again");
    assert_eq!(ledger.places(), 1);
    for charge in charges {
        ledger.give_back(charge, later);
    }
    assert_eq!(ledger.used(Row::Lobby), 2, "what was charged together comes back from there");
}

#[test]
fn refusals_are_counted_by_row() {
    let mut ledger = ledger();
    ledger.refused(Row::LargeReads);
    ledger.refused_flow(Flow::Arrivals);
    ledger.refused_flow(Flow::Arrivals);
    let counted: Vec<_> = ledger.refusals().filter(|(_, count)| *count > 0).collect();
    assert_eq!(counted, [("large_reads", 1), ("arrivals", 2)]);
}

proptest! {
    /// In every order of charges, growths and returns no row is exceeded, and at the end everything has come back.
    #[test]
    fn what_was_charged_comes_back(
        steps in proptest::collection::vec((0_u8..4, 0_u32..5, 0_usize..ROWS, 0_u64..40 * MIB, any::<prop::sample::Index>()), 1..200)
    ) {
        let mut ledger = ledger();
        let mut held: Vec<Charge> = Vec::new();
        for (step, number, row, amount, which) in steps {
            let at = if number == 0 { Place::Loopback } else { place(number) };
            let row = Row::ALL[row];
            match step {
                0 => held.extend(ledger.charge(at, row, amount, START)),
                1 if !held.is_empty() => {
                    let index = which.index(held.len());
                    let before = held[index].amount;
                    let grown = ledger.extend(&mut held[index], amount);
                    prop_assert_eq!(held[index].amount, if grown.is_ok() { before + amount } else { before });
                }
                2 if !held.is_empty() => {
                    let index = which.index(held.len());
                    let charge = &mut held[index];
                    let more = ledger.resize(charge, amount / 2, amount);
                    prop_assert_eq!(more, charge.amount.saturating_sub(amount / 2));
                }
                _ if !held.is_empty() => ledger.give_back(held.swap_remove(which.index(held.len())), START),
                _ => {}
            }
            for row in Row::ALL {
                let sum = |of: &dyn Fn(&&Charge) -> bool| -> u64 {
                    held.iter().filter(|charge| charge.row == row).filter(of).map(|charge| charge.amount).sum()
                };
                prop_assert_eq!(ledger.used(row), sum(&|_| true));
                prop_assert!(ledger.used(row) <= ledger.bound(row).all);
                for number in 1..5 {
                    prop_assert!(sum(&|charge| charge.place == place(number)) <= ledger.bound(row).place);
                }
            }
        }
        for charge in held {
            ledger.give_back(charge, START);
        }
        prop_assert!(Row::ALL.iter().all(|row| ledger.used(*row) == 0));
        prop_assert_eq!(ledger.places(), 0);
    }
}
