-- Values that are too large for their job's row, where the column is empty then: a row is written anew, to its last
-- byte, with every change of the job. role: 0 input, 1 result.
create table large_values (
    job integer not null references jobs (id) on delete cascade,
    role integer not null,
    bytes blob not null,
    primary key (job, role)
) strict;
