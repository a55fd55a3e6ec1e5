-- Judged by lots (ADR 0057). rank and points: those of the witness when it was asked. marks: see words.rs. devices: how many have
-- to agree on an answer that stands for its job, itself among them; lot: the lot that it stands in, where it is not one by itself.
alter table answers add column rank integer not null default 0;
alter table answers add column points integer not null default 0;
alter table answers add column marks integer not null default 0;
alter table answers add column devices integer;
alter table answers add column lot integer;
create index answers_of_lots on answers (lot) where lot is not null;
create index answers_undecided on answers (device) where fate is null;

-- The answers of a device for a pool, accepted or refused together. checking: answers whose check has not ended. newest_at: when
-- the last of them came.
create table lots (
    id integer not null primary key,
    run integer not null references runs (id) on delete cascade,
    node text not null,
    device integer not null,
    answers integer not null,
    chosen integer not null,
    checking integer not null,
    opened_at integer not null,
    newest_at integer not null,
    closed_at integer,
    fate text
) strict;
create index lots_of_runs on lots (run, device);
create index lots_undecided on lots (run, device) where fate is null;

-- What is kept of devices, by their numbers. One without a row is new.
create table records (
    device integer not null primary key,
    passes integer not null,
    trusted integer not null default 0,
    refuted integer not null default 0,
    rests_until integer
) strict;
