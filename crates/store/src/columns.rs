//! Columns of a row as the model's types, checked, whatever the database.

use weevil_model::trust::{AssumedShare, Policy};
use weevil_model::{Agree, ContentHash, JobId, Needs, RunId, Timestamp, WorkerId};
use weevil_queue::decide::lane::Lane;
use weevil_queue::{Copies, Delivery, Outcome};
use weevil_records::StoreError;

use crate::json::{corrupt, word};
use crate::words;

/// A row of any database: four kinds of columns, and what the others make of them. What does not fit its type is
/// `StoreError::Corrupt`: never a panic, and never a guess. The caller knows whether something may stand in for it.
pub(crate) trait Columns {
    /// `None` for a null, like its three neighbours. A column that is missing or of another type is an error.
    fn maybe_number(&self, column: &'static str) -> Result<Option<i64>, StoreError>;
    fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError>;
    fn maybe_bytes(&self, column: &'static str) -> Result<Option<Vec<u8>>, StoreError>;
    fn maybe_real(&self, column: &'static str) -> Result<Option<f64>, StoreError>;

    /// For a column that the schema, or the query, keeps from being null.
    fn number(&self, column: &'static str) -> Result<i64, StoreError> {
        self.maybe_number(column)?.ok_or_else(|| nothing(column))
    }

    fn text(&self, column: &'static str) -> Result<String, StoreError> {
        self.maybe_text(column)?.ok_or_else(|| nothing(column))
    }

    fn real(&self, column: &'static str) -> Result<f64, StoreError> {
        self.maybe_real(column)?.ok_or_else(|| nothing(column))
    }

    fn bytes(&self, column: &'static str) -> Result<Vec<u8>, StoreError> {
        self.maybe_bytes(column)?.ok_or_else(|| nothing(column))
    }

    /// A number that fits 32 bits.
    fn small(&self, column: &'static str) -> Result<u32, StoreError> {
        self.number(column)?.try_into().map_err(|_| corrupt("a number beyond all limits"))
    }

    fn maybe_small(&self, column: &'static str) -> Result<Option<u32>, StoreError> {
        let small = |number: i64| number.try_into().map_err(|_| corrupt("a number beyond all limits"));
        self.maybe_number(column)?.map(small).transpose()
    }

    /// The same 64 bits: seeds stand as signed numbers in both databases.
    fn unsigned(&self, column: &'static str) -> Result<u64, StoreError> {
        self.number(column).map(i64::cast_unsigned)
    }

    /// A delivery state.
    fn delivery(&self) -> Result<Delivery, StoreError> {
        words::delivery(self.number("delivery")?).ok_or_else(|| corrupt("an unknown delivery"))
    }

    /// How many copies of a job are wanted and out.
    fn copies(&self) -> Result<Copies, StoreError> {
        Ok(Copies { wanted: self.small("wanted")?, open: self.small("open_attempts")? })
    }

    /// `None` for a job that has not ended.
    fn outcome(&self) -> Result<Option<Outcome>, StoreError> {
        self.word("outcome", words::outcome)
    }

    /// A word that one of the model's enums must know.
    fn word<T>(
        &self,
        column: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, StoreError> {
        self.maybe_text(column)?.map(|text| word(&text, parse)).transpose()
    }

    /// Milliseconds since 1970.
    fn moment(&self, column: &'static str) -> Result<Timestamp, StoreError> {
        self.number(column).map(Timestamp)
    }

    fn maybe_moment(&self, column: &'static str) -> Result<Option<Timestamp>, StoreError> {
        Ok(self.maybe_number(column)?.map(Timestamp))
    }

    fn hash(&self, column: &'static str) -> Result<ContentHash, StoreError> {
        let bytes = self.bytes(column)?;
        let bytes = bytes.as_slice().try_into().map_err(|_| corrupt("a hash that is not 32 bytes long"))?;
        Ok(ContentHash::from_bytes(bytes))
    }

    fn maybe_hash(&self, column: &'static str) -> Result<Option<ContentHash>, StoreError> {
        Ok(if self.maybe_bytes(column)?.is_some() { Some(self.hash(column)?) } else { None })
    }

    /// An id of any kind, made of its number.
    fn id<T>(&self, column: &'static str, make: fn(i64) -> Option<T>) -> Result<T, StoreError> {
        make(self.number(column)?).ok_or_else(|| corrupt("a negative id"))
    }

    fn maybe_id<T>(&self, column: &'static str, make: fn(i64) -> Option<T>) -> Result<Option<T>, StoreError> {
        let id = |number| make(number).ok_or_else(|| corrupt("a negative id"));
        self.maybe_number(column)?.map(id).transpose()
    }

    fn job_id(&self, column: &'static str) -> Result<JobId, StoreError> {
        JobId::from_number(self.number(column)?).ok_or_else(|| corrupt("a negative job id"))
    }

    fn run_id(&self, column: &'static str) -> Result<RunId, StoreError> {
        RunId::from_number(self.number(column)?).ok_or_else(|| corrupt("a negative run id"))
    }

    /// `None` for a stand-alone job.
    fn maybe_run_id(&self, column: &'static str) -> Result<Option<RunId>, StoreError> {
        let id = |number| RunId::from_number(number).ok_or_else(|| corrupt("a negative run id"));
        self.maybe_number(column)?.map(id).transpose()
    }

    fn worker_id(&self, column: &'static str) -> Result<WorkerId, StoreError> {
        WorkerId::from_number(self.number(column)?).ok_or_else(|| corrupt("a negative worker id"))
    }

    fn needs(&self) -> Result<Needs, StoreError> {
        self.class().map(|(_, needs)| needs)
    }

    /// The line of a job, and what it needs.
    fn class(&self) -> Result<(Lane, Needs), StoreError> {
        Lane::of_class(self.number("needs")?).ok_or_else(|| corrupt("needs that are no class"))
    }

    /// From which answers on a job's value is believed.
    fn trust(&self) -> Result<Policy, StoreError> {
        Policy::from_number(self.small("trust")? & !words::IN_POOL)
            .ok_or_else(|| corrupt("an unknown policy"))
    }

    /// The share of liars that was assumed; `None` where nothing was.
    fn assumed(&self) -> Result<Option<AssumedShare>, StoreError> {
        let share = |millionths| {
            AssumedShare::of_millionths(millionths)
                .ok_or_else(|| corrupt("a share of liars beyond all limits"))
        };
        self.maybe_small("assumed")?.map(share).transpose()
    }

    /// When two answers of a job are the same.
    fn agree(&self) -> Result<Agree<ContentHash>, StoreError> {
        Ok(self.word("agree", |text| text.parse().ok())?.unwrap_or_default())
    }

    /// Whether a job that is judged by lots computes an element of a pool.
    fn is_in_pool(&self) -> Result<bool, StoreError> {
        Ok(self.small("trust")? & words::IN_POOL != 0)
    }
}

/// Columns of a driver's row, whose numbers `$number` reads. A macro, since nothing is generic over sqlx's own traits.
macro_rules! columns {
    ($row:ty, $number:expr) => {
        impl $crate::columns::Columns for $row {
            fn maybe_number(&self, column: &'static str) -> Result<Option<i64>, StoreError> {
                $number(self, column).map_err(unreadable)
            }

            fn maybe_text(&self, column: &'static str) -> Result<Option<String>, StoreError> {
                self.try_get(column).map_err(unreadable)
            }

            fn maybe_bytes(&self, column: &'static str) -> Result<Option<Vec<u8>>, StoreError> {
                self.try_get(column).map_err(unreadable)
            }

            fn maybe_real(&self, column: &'static str) -> Result<Option<f64>, StoreError> {
                self.try_get(column).map_err(unreadable)
            }
        }
    };
}
pub(crate) use columns;

/// Reading a row again gives the same.
#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
pub(crate) fn unreadable(error: sqlx::Error) -> StoreError {
    corrupt(&format!("a column ({error})"))
}

fn nothing(column: &str) -> StoreError {
    corrupt(&format!("nothing in the column `{column}`"))
}
