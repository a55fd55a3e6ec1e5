//! What projects have, counted anew: the rule of the audit that compares it with what was counted on the way.
//!
//! Open jobs are those that have not ended. Stored bytes are those of inputs and values of jobs, wherever they stand, of answers
//! whose values are kept to be compared, of inputs and values of runs, and of each file that a project has, once for each project.

use const_format::{concatcp, formatcp};

use crate::audit::AUDITING;
use crate::sql::Sql;
use crate::words::ENDED;

pub(crate) const RULE: &str =
    "what is counted of a project is what it has: jobs that have not ended, and bytes";

/// Projects of which it is not so: those that are there, and those that something is of without being there.
pub(crate) const BREACHES: Sql = Sql {
    doing: AUDITING,
    sqlite: concatcp!(
        COUNTED,
        "
    union all select j.project, 0, sum(length(v.bytes)) from large_values v join jobs j on j.id = v.job group by j.project
    union all select o.project, 0, sum(length(f.bytes)) from project_blobs o join blobs f on f.hash = o.blob
        group by o.project",
        DIFFERENT
    ),
    mysql: concatcp!(
        COUNTED,
        "
    union all select o.project, 0, sum(f.size) from project_blobs o join blobs f on f.hash = o.`blob` group by o.project",
        DIFFERENT
    ),
};

/// What was counted is taken away from what is there, so that nothing is left. A project without a row is as wrong as one with a
/// job too many.
const COUNTED: &str = formatcp!(
    "
select count(*) from (
    select project from (
    select project, -open_jobs as jobs, -stored_bytes as bytes from project_usage
    union all select id, 1, 0 from projects where id not in (select project from project_usage)
    union all select project, sum(delivery <> {ENDED}), sum(length(input) + coalesce(length(result), 0)) from jobs group by project
    union all select j.project, 0, sum(v.size) from answer_values v join jobs j on j.id = v.job group by j.project
    union all select r.project, 0, sum(length(v.value)) from run_inputs v join runs r on r.id = v.run group by r.project
    union all select project, 0, coalesce(sum(length(result)), 0) from runs group by project"
);

const DIFFERENT: &str = "
    ) had group by project having sum(jobs) <> 0 or sum(bytes) <> 0
) different";
