//! Quotas of a project: what is asked fits, or which bound it would pass and by how much. It counts nothing itself; jobs in a
//! minute are a rate (`bucket.rs`).

/// What a project uses, or what is asked for beyond it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    pub open_jobs: u64,
    pub open_runs: u64,
    pub stored_bytes: u64,
}

/// What a project may use; 0 is no bound.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    pub open_jobs: u64,
    pub open_runs: u64,
    pub stored_bytes: u64,
}

/// Which quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotaKind {
    OpenJobs,
    OpenRuns,
    StoredBytes,
}

/// What is asked does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the project may have {limit} {}, has {used}, and {asked} more are asked for", kind.words())]
pub struct QuotaReached {
    pub kind: QuotaKind,
    pub limit: u64,
    pub used: u64,
    pub asked: u64,
}

impl Usage {
    /// Together; what passes all counting stays as much as can be counted.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            open_jobs: self.open_jobs.saturating_add(other.open_jobs),
            open_runs: self.open_runs.saturating_add(other.open_runs),
            stored_bytes: self.stored_bytes.saturating_add(other.stored_bytes),
        }
    }

    /// What is left without the other, of each at least nothing.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self {
            open_jobs: self.open_jobs.saturating_sub(other.open_jobs),
            open_runs: self.open_runs.saturating_sub(other.open_runs),
            stored_bytes: self.stored_bytes.saturating_sub(other.stored_bytes),
        }
    }
}

impl QuotaKind {
    const fn words(self) -> &'static str {
        match self {
            Self::OpenJobs => "open jobs",
            Self::OpenRuns => "open runs",
            Self::StoredBytes => "stored bytes",
        }
    }
}

impl Quotas {
    /// Whether a project that uses so much may have so much more. Asking for nothing always fits, also where a quota was
    /// lowered below what is used.
    pub fn admit(self, used: Usage, asked: Usage) -> Result<(), QuotaReached> {
        let rows = [
            (QuotaKind::OpenJobs, self.open_jobs, used.open_jobs, asked.open_jobs),
            (QuotaKind::OpenRuns, self.open_runs, used.open_runs, asked.open_runs),
            (QuotaKind::StoredBytes, self.stored_bytes, used.stored_bytes, asked.stored_bytes),
        ];
        let beyond = |(_, limit, used, asked): &(QuotaKind, u64, u64, u64)| {
            *limit > 0 && *asked > 0 && used.checked_add(*asked).is_none_or(|sum| sum > *limit)
        };
        match rows.into_iter().find(beyond) {
            Some((kind, limit, used, asked)) => Err(QuotaReached { kind, limit, used, asked }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const fn usage(open_jobs: u64, open_runs: u64, stored_bytes: u64) -> Usage {
        Usage { open_jobs, open_runs, stored_bytes }
    }

    #[test]
    fn what_fits_is_admitted_and_what_does_not_is_told() {
        let quotas = Quotas { open_jobs: 10, open_runs: 2, stored_bytes: 100 };
        let lax = Quotas::default();
        for (quotas, used, asked, expected) in [
            (quotas, usage(0, 0, 0), usage(10, 2, 100), None),
            (quotas, usage(9, 1, 99), usage(1, 1, 1), None),
            (quotas, usage(10, 0, 0), usage(1, 0, 0), Some((QuotaKind::OpenJobs, 10, 10, 1))),
            (quotas, usage(0, 1, 0), usage(0, 2, 0), Some((QuotaKind::OpenRuns, 2, 1, 2))),
            (quotas, usage(0, 0, 60), usage(0, 1, 50), Some((QuotaKind::StoredBytes, 100, 60, 50))),
            (quotas, usage(50, 50, 500), usage(0, 0, 0), None),
            (quotas, usage(50, 0, 0), usage(0, 1, 0), None),
            (quotas, usage(1, 0, 0), usage(u64::MAX, 0, 0), Some((QuotaKind::OpenJobs, 10, 1, u64::MAX))),
            (lax, usage(u64::MAX, 0, 0), usage(u64::MAX, u64::MAX, u64::MAX), None),
        ] {
            let expected =
                expected.map(|(kind, limit, used, asked)| QuotaReached { kind, limit, used, asked });
            assert_eq!(quotas.admit(used, asked).err(), expected, "{quotas:?} {used:?} {asked:?}");
        }
    }

    #[test]
    fn a_refusal_names_the_figures() {
        let quotas = Quotas { stored_bytes: 100, ..Quotas::default() };
        let refusal = quotas.admit(usage(0, 0, 60), usage(0, 0, 50)).unwrap_err();
        assert_eq!(
            refusal.to_string(),
            "the project may have 100 stored bytes, has 60, and 50 more are asked for"
        );
    }

    proptest! {
        #[test]
        fn what_was_admitted_never_passes_a_quota(limit in 1..50_u64, asks in prop::collection::vec(0..20_u64, 0..40)) {
            let quotas = Quotas { open_jobs: limit, ..Quotas::default() };
            let mut used = Usage::default();
            for asked in asks {
                if quotas.admit(used, usage(asked, 0, 0)).is_ok() {
                    used.open_jobs += asked;
                }
                prop_assert!(used.open_jobs <= limit);
            }
        }
    }
}
