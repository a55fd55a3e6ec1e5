-- What answers come to, for people (ADR 0065).

-- What the jobs of a run were believed on, counted along. bounded: those whose policy says how many may be wrong; wrong: how many of
-- them are expected to be at most, if liars do at most so many millionths of the work.
create table judgements (
    run bigint not null primary key,
    answers bigint not null,
    refuted bigint not null,
    trusted bigint not null,
    agreed bigint not null,
    in_lots bigint not null,
    bounded bigint not null,
    wrong double not null,
    liars int unsigned,
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB;

-- Answers of a device: all that it gave, those that were what was believed, with the least effort of those who agreed each time, and
-- those that were found wrong.
alter table records
    add column given bigint not null default 0,
    add column confirmed bigint not null default 0,
    add column confirmed_us bigint not null default 0,
    add column differed bigint not null default 0;
