-- What is the fault of a job, and of nobody who computed it (ADR 0058).

-- Known devices that have agreed with somebody on a code, by engine.
create table agreeing (
    code binary(32) not null,
    engine varchar(16) not null,
    device bigint not null,
    primary key (code, engine, device)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- What two engines said of one job, as long as they are seldom compared: what people are shown.
create table differences (
    run bigint not null,
    job bigint not null,
    engine_a varchar(16) not null,
    engine_b varchar(16) not null,
    code binary(32) not null,
    said_a varchar(64) not null,
    said_b varchar(64) not null,
    primary key (run, job, engine_a, engine_b),
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Engines that get no more of a code, and the one that they differ from.
create table left_out (
    code binary(32) not null,
    engine varchar(16) not null,
    leader varchar(16) not null,
    since bigint not null,
    primary key (code, engine)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Runs in which that was met.
create table runs_left_out (
    run bigint not null,
    code binary(32) not null,
    engine varchar(16) not null,
    primary key (run, code, engine),
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Jobs of which known devices have said three different things, until their run goes on.
create table scattered (
    run bigint not null,
    code binary(32) not null,
    job bigint not null,
    primary key (run, code, job),
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Why the server has paused a run; null where a person has.
alter table runs add column paused_why varchar(16);
