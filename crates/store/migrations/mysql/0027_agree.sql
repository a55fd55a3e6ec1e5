-- How answers of judged jobs are compared (ADR 0062). agree: null where by their digests alone; agree_within: whose are.
alter table jobs
    add column agree varchar(64),
    add column agree_within varchar(16);

-- What answers say that are compared within a tolerance, until one of them is believed. alike: the digests of those that came before
-- and agree with it, one after the other.
create table answer_values (
    job bigint not null,
    digest binary(32) not null,
    alike blob not null,
    size int unsigned not null,
    value longblob not null,
    primary key (job, digest),
    foreign key (job) references jobs (id) on delete cascade
) engine = InnoDB;

-- Engines that differ by one way to compare may agree by another.
alter table comparisons
    add column agree varchar(64) not null default 'exact' after code,
    drop primary key,
    add primary key (code, agree, engine_a, engine_b);
