//! Verifying the audit as one moment of a database has it. Only reads: a server may write meanwhile.

use weevil_access::audit::{Tampering, Verified, Verifier};
use weevil_model::StoreError;

use crate::audit::Reader;
use crate::database::Database;
use crate::fault::Fault;
use crate::parts::access::{audit, audit_pages};
use crate::tx::Tx;

/// Rows that are read at a time.
const PIECE: u32 = 1000;

/// Whether the audit is what was written. Takes time for each row.
///
/// # Errors
///
/// Where the database cannot be read.
pub async fn verify_audit(database: &Database) -> Result<Result<Verified, Tampering>, StoreError> {
    let verified = match &mut Reader::open(database).await? {
        Reader::Sqlite(connection) => verify(connection).await,
        Reader::MySql(connection) => verify(connection).await,
    };
    verified.map_err(|fault| match fault {
        Fault::Passing(error) | Fault::Lasting(error) => error,
    })
}

async fn verify<T: Tx>(tx: &mut T) -> Result<Result<Verified, Tampering>, Fault> {
    let mut verifier = Verifier::new(audit::ends(tx).await?);
    let mut after = i64::MIN;
    loop {
        let rows = audit_pages::chain(tx, after, PIECE).await?;
        let Some(last) = rows.last() else { return Ok(verifier.end()) };
        after = last.id.number();
        if let Err(tampering) = rows.iter().try_for_each(|row| verifier.row(row)) {
            return Ok(Err(tampering));
        }
    }
}
