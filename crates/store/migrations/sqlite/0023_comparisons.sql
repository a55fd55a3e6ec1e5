-- How often answers of two engines for one code agreed, and how often they differed: see ADR 0057. engine_a is not behind engine_b.
create table comparisons (
    code blob not null,
    engine_a text not null,
    engine_b text not null,
    agreed integer not null,
    differed integer not null,
    primary key (code, engine_a, engine_b)
) strict, without rowid;

-- When the newest errors of a device were found wrong that cost it no rest, the newest first.
alter table records add column error_1 integer;
alter table records add column error_2 integer;
