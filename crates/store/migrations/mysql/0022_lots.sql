-- Judged by lots (ADR 0057). rank and points: those of the witness when it was asked. marks: see words.rs. devices: how many have
-- to agree on an answer that stands for its job, itself among them; lot: the lot that it stands in, where it is not one by itself.
alter table answers
    add column `rank` tinyint unsigned not null default 0,
    add column points tinyint unsigned not null default 0,
    add column marks tinyint unsigned not null default 0,
    add column devices int unsigned,
    add column lot bigint;
create index answers_of_lots on answers (lot);
create index answers_undecided on answers (fate, device);

-- The answers of a device for a pool, accepted or refused together. checking: answers whose check has not ended. newest_at: when
-- the last of them came.
create table lots (
    id bigint not null primary key,
    run bigint not null,
    node longtext not null,
    device bigint not null,
    answers int unsigned not null,
    chosen int unsigned not null,
    checking int unsigned not null,
    opened_at bigint not null,
    newest_at bigint not null,
    closed_at bigint,
    fate varchar(16),
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;
create index lots_of_runs on lots (run, device);
create index lots_undecided on lots (fate, run, device);

-- What is kept of devices, by their numbers. One without a row is new.
create table records (
    device bigint not null primary key,
    passes int unsigned not null,
    trusted tinyint unsigned not null default 0,
    refuted int unsigned not null default 0,
    rests_until bigint
) engine = InnoDB;
