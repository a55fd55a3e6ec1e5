-- One workflow may be known by several names; a name's versions are listed by age.
create table workflow_names (
    name text not null,
    workflow blob not null references workflows (hash),
    created_at integer not null,
    primary key (name, workflow)
) strict, without rowid;

insert into workflow_names (name, workflow, created_at) select name, hash, created_at from workflows;

-- What replaces value nodes in one run.
create table run_inputs (
    run integer not null references runs (id),
    node text not null,
    value blob not null,
    primary key (run, node)
) strict, without rowid;

-- never, repeatable or always
alter table runs add column reuse text not null default 'never';

-- returns: the type that the result must have. fingerprint: 63 bits of code and input, to find equal jobs by.
-- reused: the job whose stored result this one has taken over.
alter table jobs add column returns text;
alter table jobs add column fingerprint integer;
alter table jobs add column reused integer;

create index jobs_known on jobs (fingerprint) where outcome = 'value';
