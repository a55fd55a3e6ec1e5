-- How often answers of two engines for one code agreed, and how often they differed: see ADR 0057. engine_a is not behind engine_b.
create table comparisons (
    code binary(32) not null,
    engine_a varchar(16) not null,
    engine_b varchar(16) not null,
    agreed int unsigned not null,
    differed int unsigned not null,
    primary key (code, engine_a, engine_b)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- When the newest errors of a device were found wrong that cost it no rest, the newest first.
alter table records
    add column error_1 bigint,
    add column error_2 bigint;
