-- An engine that differs by one way to compare may agree by another: it is left out of a code for the one alone (ADR 0062).
create table left_out_by_agree (
    code blob not null,
    agree text not null,
    engine text not null,
    leader text not null,
    since integer not null,
    primary key (code, agree, engine)
) strict, without rowid;
insert into left_out_by_agree (code, agree, engine, leader, since)
select l.code, c.agree, l.engine, l.leader, l.since from left_out l join comparisons c on c.code = l.code
where (c.engine_a, c.engine_b) in ((l.engine, l.leader), (l.leader, l.engine)) and c.differed >= 3 and c.differed > c.agreed;
drop table left_out;
alter table left_out_by_agree rename to left_out;

create table runs_left_out_by_agree (
    run integer not null references runs (id) on delete cascade,
    code blob not null,
    agree text not null,
    engine text not null,
    primary key (run, code, agree, engine)
) strict, without rowid;
insert into runs_left_out_by_agree (run, code, agree, engine)
select r.run, r.code, l.agree, r.engine from runs_left_out r join left_out l on l.code = r.code and l.engine = r.engine;
drop table runs_left_out;
alter table runs_left_out_by_agree rename to runs_left_out;
