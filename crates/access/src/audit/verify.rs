//! Verifying the audit: whether its rows are those that were written, all of them and in their order.
//!
//! It finds what was changed, taken out or put in. Somebody who may write all of a database can make another chain, with
//! ends that fit: against that the last hash has to be kept elsewhere.

use weevil_model::{AuditId, ContentHash};

use super::{AuditRow, ChainEnds, ChainPoint};

/// What is wrong with a chain: the first place where it does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Tampering {
    #[error("{0} is not as it was written")]
    Changed(AuditId),
    #[error("what stood before {0} was taken out or changed")]
    Broken(AuditId),
    #[error("{0} was put in, or the end of the audit was set back")]
    PutIn(AuditId),
    #[error("rows are missing at the end: the last one is {found}, and {expected} was written")]
    CutOff { found: i64, expected: i64 },
    #[error("the audit begins behind its end")]
    Ends,
}

/// A chain that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    pub rows: u64,
    /// The hash of the last row that was written, trimmed or not: to be kept elsewhere.
    pub last: ContentHash,
}

/// Rows of a chain, told one after the other from its beginning on.
#[derive(Debug)]
pub struct Verifier {
    ends: ChainEnds,
    last: ChainPoint,
    rows: u64,
}

impl Verifier {
    pub const fn new(ends: ChainEnds) -> Self {
        Self { ends, last: ends.trimmed, rows: 0 }
    }

    /// The next row. After an error the verifier is of no use.
    pub fn row(&mut self, row: &AuditRow) -> Result<(), Tampering> {
        let number = row.id.number();
        if number <= self.ends.trimmed.number || number > self.ends.last.number {
            return Err(Tampering::PutIn(row.id));
        }
        if row.true_hash() != row.hash {
            return Err(Tampering::Changed(row.id));
        }
        if number != self.last.number + 1 || row.previous != self.last.hash || row.at < self.last.at {
            return Err(Tampering::Broken(row.id));
        }
        self.last = row.point();
        self.rows += 1;
        Ok(())
    }

    /// After the last row.
    pub fn end(self) -> Result<Verified, Tampering> {
        let (found, expected) = (self.last.number, self.ends.last.number);
        if self.ends.trimmed.number > expected {
            return Err(Tampering::Ends);
        }
        if found < expected {
            return Err(Tampering::CutOff { found, expected });
        }
        match AuditId::from_number(found) {
            Some(id) if self.last != self.ends.last => Err(Tampering::Changed(id)),
            _ => Ok(Verified { rows: self.rows, last: self.last.hash }),
        }
    }
}

#[cfg(test)]
mod tests {
    use weevil_model::{ProjectId, Timestamp};

    use super::*;
    use crate::audit::{Action, Actor, AuditEntry, AuditOutcome};

    fn chain() -> (ChainEnds, Vec<AuditRow>) {
        let (mut last, mut rows) = (ChainPoint::START, Vec::new());
        for at in 1..=6 {
            let entry = AuditEntry {
                at: Timestamp(at),
                actor: Actor::Local,
                action: Action::RunCreated,
                subject: Some("run_0000000000001".into()),
                project: ProjectId::from_number(1),
                place: Some("192.0.2.7".into()),
                outcome: AuditOutcome::Done,
                details: Some("{}".into()),
            };
            let row = AuditRow::following(&last, &entry).unwrap();
            last = row.point();
            rows.push(row);
        }
        let trimmed = rows[0].point();
        (ChainEnds { trimmed, last }, rows.split_off(1))
    }

    fn verify(ends: ChainEnds, rows: &[AuditRow]) -> Result<u64, Tampering> {
        let mut verifier = Verifier::new(ends);
        rows.iter().try_for_each(|row| verifier.row(row))?;
        verifier.end().map(|verified| verified.rows)
    }

    fn id(number: i64) -> AuditId {
        AuditId::from_number(number).unwrap()
    }

    fn again(row: &mut AuditRow) {
        row.hash = row.true_hash();
    }

    type Damage = fn(&mut ChainEnds, &mut Vec<AuditRow>);

    #[test]
    fn each_tampering_is_found_where_it_is() {
        let table: [(Damage, Tampering); 21] = [
            (|_, rows| rows[1].at.0 += 1, Tampering::Changed(id(3))),
            (|_, rows| rows[1].actor = "system".into(), Tampering::Changed(id(3))),
            (|_, rows| rows[1].action = "run.cancelled".into(), Tampering::Changed(id(3))),
            (|_, rows| rows[1].subject = None, Tampering::Changed(id(3))),
            (|_, rows| rows[1].project = None, Tampering::Changed(id(3))),
            (|_, rows| rows[1].place = Some(String::new()), Tampering::Changed(id(3))),
            (|_, rows| rows[1].outcome = "failed".into(), Tampering::Changed(id(3))),
            (|_, rows| rows[1].details = None, Tampering::Changed(id(3))),
            (|_, rows| rows[1].hash = ContentHash::of(b"x"), Tampering::Changed(id(3))),
            (|_, rows| rows[1].previous = ContentHash::of(b"x"), Tampering::Changed(id(3))),
            (
                |_, rows| {
                    rows[1].details = None;
                    again(&mut rows[1]);
                },
                Tampering::Broken(id(4)),
            ),
            (
                |_, rows| {
                    rows[4].details = None;
                    again(&mut rows[4]);
                },
                Tampering::Changed(id(6)),
            ),
            (|_, rows| drop(rows.remove(0)), Tampering::Broken(id(3))),
            (|_, rows| drop(rows.remove(2)), Tampering::Broken(id(5))),
            (|_, rows| drop(rows.pop()), Tampering::CutOff { found: 5, expected: 6 }),
            (|_, rows| rows.clear(), Tampering::CutOff { found: 1, expected: 6 }),
            (|_, rows| rows.swap(1, 2), Tampering::Broken(id(4))),
            (|_, rows| rows.push(AuditRow { id: id(7), ..rows[4].clone() }), Tampering::PutIn(id(7))),
            (|_, rows| rows.insert(0, AuditRow { id: id(1), ..rows[0].clone() }), Tampering::PutIn(id(1))),
            (|ends, _| ends.last.number = 5, Tampering::PutIn(id(6))),
            (
                |ends, rows| {
                    ends.trimmed.number = 9;
                    rows.clear();
                },
                Tampering::Ends,
            ),
        ];
        for (at, (damage, expected)) in table.into_iter().enumerate() {
            let (mut ends, mut rows) = chain();
            assert_eq!(verify(ends, &rows), Ok(5));
            damage(&mut ends, &mut rows);
            assert_eq!(verify(ends, &rows), Err(expected), "damage {at}");
        }
    }

    #[test]
    fn an_empty_chain_holds() {
        let ends = ChainEnds { trimmed: ChainPoint::START, last: ChainPoint::START };
        assert_eq!(verify(ends, &[]), Ok(0));
    }
}
