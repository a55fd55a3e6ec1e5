-- How answers of judged jobs are compared (ADR 0062). agree: null where by their digests alone; agree_within: whose are.
alter table jobs add column agree text;
alter table jobs add column agree_within text;

-- What answers say that are compared within a tolerance, until one of them is believed. alike: the digests of those that came before
-- and agree with it, one after the other.
create table answer_values (
    job integer not null references jobs (id) on delete cascade,
    digest blob not null,
    alike blob not null,
    size integer not null,
    value blob not null,
    primary key (job, digest)
) strict;

-- Engines that differ by one way to compare may agree by another.
create table comparisons_by_agree (
    code blob not null,
    agree text not null,
    engine_a text not null,
    engine_b text not null,
    agreed integer not null,
    differed integer not null,
    primary key (code, agree, engine_a, engine_b)
) strict, without rowid;
insert into comparisons_by_agree (code, agree, engine_a, engine_b, agreed, differed)
select code, 'exact', engine_a, engine_b, agreed, differed from comparisons;
drop table comparisons;
alter table comparisons_by_agree rename to comparisons;
