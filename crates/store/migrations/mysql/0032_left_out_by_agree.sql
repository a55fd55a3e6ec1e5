-- An engine that differs by one way to compare may agree by another: it is left out of a code for the one alone (ADR 0062).
alter table left_out
    add column agree varchar(64) not null default 'exact' after code,
    drop primary key,
    add primary key (code, agree, engine);
insert into left_out (code, agree, engine, leader, since)
select l.code, c.agree, l.engine, l.leader, l.since from left_out l join comparisons c on c.code = l.code and c.agree <> 'exact'
where (c.engine_a, c.engine_b) in ((l.engine, l.leader), (l.leader, l.engine)) and c.differed >= 3 and c.differed > c.agreed;
delete l from left_out l left join comparisons c on c.code = l.code and c.agree = l.agree
    and (c.engine_a, c.engine_b) in ((l.engine, l.leader), (l.leader, l.engine)) and c.differed >= 3 and c.differed > c.agreed
where c.code is null;

alter table runs_left_out
    add column agree varchar(64) not null default 'exact' after code,
    drop primary key,
    add primary key (run, code, agree, engine);
insert into runs_left_out (run, code, agree, engine)
select r.run, r.code, l.agree, r.engine from runs_left_out r
join left_out l on l.code = r.code and l.engine = r.engine and l.agree <> 'exact';
delete r from runs_left_out r left join left_out l on l.code = r.code and l.agree = r.agree and l.engine = r.engine
where l.code is null;
