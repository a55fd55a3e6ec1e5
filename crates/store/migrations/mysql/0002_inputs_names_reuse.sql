-- One workflow may be known by several names; a name's versions are listed by age. identity: the hash of the name, which
-- may be longer than an index takes.
create table workflow_names (
    name longtext not null,
    identity binary(32) not null,
    workflow binary(32) not null,
    created_at bigint not null,
    primary key (identity, workflow),
    foreign key (workflow) references workflows (hash)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

insert into workflow_names (name, identity, workflow, created_at)
select name, unhex(sha2(name, 256)), hash, created_at from workflows;

-- What replaces value nodes in one run. A node's id has at most 100 characters (MAX_ID_CHARS), kept as bytes like paths.
create table run_inputs (
    run bigint not null,
    node varbinary(1020) not null,
    value longblob not null,
    primary key (run, node),
    foreign key (run) references runs (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- never, repeatable or always
alter table runs add column reuse varchar(16) not null default 'never';

-- returns: the type that the result must have. fingerprint: 63 bits of code and input, to find equal jobs by.
-- reused: the job whose stored result this one has taken over.
alter table jobs add column `returns` varchar(32), add column fingerprint bigint, add column reused bigint;

create index jobs_known on jobs (fingerprint, outcome);
