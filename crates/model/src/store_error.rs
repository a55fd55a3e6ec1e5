//! Why a database did not do what it was asked: the one thing that every noun of a store has in common. Never knows a
//! driver.

/// Why the database did not do it. Nothing of the request was applied.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(
        "the database in {place} cannot be opened: {cause}; check that the folder exists and is writable"
    )]
    Open { place: String, cause: String },
    #[error(
        "the database {place} cannot be reached: {cause}; check that it runs there, that it exists, and that the user \
         may use it"
    )]
    Connect { place: String, cause: String },
    #[error("the database {place} cannot be used: {cause}")]
    Unfit { place: String, cause: String },
    #[error("the database has schema {found}, this binary knows up to {known}: start a newer binary")]
    TooNew { found: i64, known: i64 },
    #[error("the database failed while {doing}: {cause}")]
    Failed { doing: &'static str, cause: String },
    /// Trying the same again does not cure it: a constraint, a column, a length.
    #[error("the database does not take it while {doing}: {cause}")]
    Refused { doing: &'static str, cause: String },
    #[error("the database holds {what} that this binary cannot read")]
    Corrupt { what: String },
}
