-- What was accepted on the word of a device that was found wrong later.

-- Whether a run's executors begin anew, since something of it was reopened: see words.rs.
alter table runs add column retrace integer not null default 0;

-- Jobs whose value stays all the same: their run had ended before, or they stand alone.
create table doubts (
    job integer not null primary key references jobs (id) on delete cascade,
    run integer
) strict;
create index doubts_of_runs on doubts (run);

create index lots_of_devices on lots (device) where fate = 'accepted';
create index answers_trusted on answers (device) where fate = 'agreed' and rank = 2;
