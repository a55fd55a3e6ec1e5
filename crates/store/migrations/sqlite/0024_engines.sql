-- What is the fault of a job, and of nobody who computed it (ADR 0058).

-- Known devices that have agreed with somebody on a code, by engine.
create table agreeing (
    code blob not null,
    engine text not null,
    device integer not null,
    primary key (code, engine, device)
) strict, without rowid;

-- What two engines said of one job, as long as they are seldom compared: what people are shown.
create table differences (
    run integer not null references runs (id) on delete cascade,
    job integer not null,
    engine_a text not null,
    engine_b text not null,
    code blob not null,
    said_a text not null,
    said_b text not null,
    primary key (run, job, engine_a, engine_b)
) strict, without rowid;

-- Engines that get no more of a code, and the one that they differ from.
create table left_out (
    code blob not null,
    engine text not null,
    leader text not null,
    since integer not null,
    primary key (code, engine)
) strict, without rowid;

-- Runs in which that was met.
create table runs_left_out (
    run integer not null references runs (id) on delete cascade,
    code blob not null,
    engine text not null,
    primary key (run, code, engine)
) strict, without rowid;

-- Jobs of which known devices have said three different things, until their run goes on.
create table scattered (
    run integer not null references runs (id) on delete cascade,
    code blob not null,
    job integer not null,
    primary key (run, code, job)
) strict, without rowid;

-- Why the server has paused a run; null where a person has.
alter table runs add column paused_why text;
