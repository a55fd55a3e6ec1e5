-- What answers come to, for people (ADR 0065).

-- What the jobs of a run were believed on, counted along. bounded: those whose policy says how many may be wrong; wrong: how many of
-- them are expected to be at most, if liars do at most so many millionths of the work.
create table judgements (
    run integer not null primary key references runs (id) on delete cascade,
    answers integer not null,
    refuted integer not null,
    trusted integer not null,
    agreed integer not null,
    in_lots integer not null,
    bounded integer not null,
    wrong real not null,
    liars integer
) strict;

-- Answers of a device: all that it gave, those that were what was believed, with the least effort of those who agreed each time, and
-- those that were found wrong.
alter table records add column given integer not null default 0;
alter table records add column confirmed integer not null default 0;
alter table records add column confirmed_us integer not null default 0;
alter table records add column differed integer not null default 0;
