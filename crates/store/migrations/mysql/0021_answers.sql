-- Judged jobs (ADR 0056). jobs.trust: the number of the policy, 0 where nobody judges. runs.trust: what the run was started with,
-- null where its workflow says.
alter table jobs add column trust int unsigned not null default 0;
alter table runs add column trust int unsigned;

-- What an attempt of a judged job gives, and whose it is: made when it is handed out, filled when it answers. device: the head of
-- its fingerprint. network: a pseudonym. handed_out: that of its job when the answer came. fate: what became of it.
create table answers (
    job bigint not null,
    number int unsigned not null,
    device bigint,
    network bigint,
    engine varchar(16) not null,
    digest binary(32),
    kind varchar(32),
    given_at bigint,
    handed_out int unsigned,
    fate varchar(16),
    primary key (job, number),
    foreign key (job, number) references attempts (job, number) on delete cascade
) engine = InnoDB;

-- What the networks of a run are told apart by: gone with its end, and then only equal ones are known to be equal.
create table salts (
    run bigint not null primary key,
    salt binary(32) not null,
    foreign key (run) references runs (id) on delete cascade
) engine = InnoDB;
