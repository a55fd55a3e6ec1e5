-- Judged jobs (ADR 0056). jobs.trust: the number of the policy, 0 where nobody judges. runs.trust: what the run was started with,
-- null where its workflow says.
alter table jobs add column trust integer not null default 0;
alter table runs add column trust integer;

-- What an attempt of a judged job gives, and whose it is: made when it is handed out, filled when it answers. device: the head of
-- its fingerprint. network: a pseudonym. handed_out: that of its job when the answer came. fate: what became of it.
create table answers (
    job integer not null,
    number integer not null,
    device integer,
    network integer,
    engine text not null,
    digest blob,
    kind text,
    given_at integer,
    handed_out integer,
    fate text,
    primary key (job, number),
    foreign key (job, number) references attempts (job, number) on delete cascade
) strict, without rowid;

-- What the networks of a run are told apart by: gone with its end, and then only equal ones are known to be equal.
create table salts (
    run integer not null primary key references runs (id) on delete cascade,
    salt blob not null
) strict;
