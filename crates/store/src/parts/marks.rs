//! What people in charge say of devices, and what the audit says of that, in one transaction.

use weevil_access::audit::AuditEntry;
use weevil_model::Timestamp;
use weevil_model::witness::{Mark, Record};
use weevil_trust::mark as set;

use super::access::audit;
use super::ranks::record;
use crate::{Arg, Fault, Sql, Tx, both};

/// By the primary key. A batch that finds the device wrong at the same time comes before or after all of this.
const RECORD: Sql = both!(
    "marking a device",
    "select passes, trusted, refuted, rests_until, error_1, error_2 from records where device = ?{LOCK}"
);

const MARK: Sql = Sql {
    doing: "marking a device",
    sqlite: "
insert into records (device, passes, trusted, refuted, rests_until, error_1, error_2) values (?, ?, ?, ?, ?, ?, ?)
on conflict (device) do update set passes = excluded.passes, trusted = excluded.trusted, refuted = excluded.refuted,
    rests_until = excluded.rests_until, error_1 = excluded.error_1, error_2 = excluded.error_2",
    mysql: "
insert into records (device, passes, trusted, refuted, rests_until, error_1, error_2) values (?, ?, ?, ?, ?, ?, ?)
on duplicate key update passes = values(passes), trusted = values(trusted), refuted = values(refuted),
    rests_until = values(rests_until), error_1 = values(error_1), error_2 = values(error_2)",
};

/// Answers what is kept of the device from now on.
pub(crate) async fn mark<T: Tx>(
    tx: &mut T,
    device: i64,
    mark: Mark,
    entry: &AuditEntry,
) -> Result<Record, Fault> {
    let last = audit::lock(tx).await?;
    let kept = tx.one(&RECORD, &[device.into()]).await?;
    let mut now = kept.as_ref().map(record).transpose()?.unwrap_or_default();
    set(&mut now, mark);
    let moment = |moment: Option<Timestamp>| Arg::Number(moment.map(|moment| moment.0));
    let [newest, newer] = now.refuted_errors.map(moment);
    let args: [Arg<'_>; 7] = [
        device.into(),
        now.passes.into(),
        u32::from(now.is_trusted).into(),
        now.refuted.into(),
        moment(now.rests_until),
        newest,
        newer,
    ];
    tx.run(&MARK, &args).await?;
    audit::tell(tx, &last, entry).await?;
    Ok(now)
}
