-- Moments are milliseconds since 1970. Hashes are 32 bytes. Values are CBOR.

create table blobs (
    hash blob primary key not null,
    bytes blob not null
) strict;

create table workflows (
    hash blob primary key not null,
    name text not null,
    created_at integer not null
) strict;

create table workflow_files (
    workflow blob not null references workflows (hash),
    path text not null,
    blob blob not null references blobs (hash),
    primary key (workflow, path)
) strict, without rowid;

create table runs (
    id integer primary key not null,
    workflow blob not null references workflows (hash),
    name text not null,
    seed integer not null,
    state text not null,
    created_at integer not null,
    finished_at integer,
    result blob,
    view text
) strict;

create index runs_open on runs (id) where finished_at is null;

-- delivery: 0 ready, 1 leased, 2 ended. outcome says how an ended job ended.
create table jobs (
    id integer primary key not null,
    shard integer not null default 0,
    run integer references runs (id),
    path text,
    code blob not null,
    source text not null,
    input blob not null,
    seed integer not null,
    order_key integer not null,
    timeout_ms integer not null,
    max_attempts integer not null,
    delivery integer not null default 0,
    outcome text,
    result blob,
    handed_out integer not null default 0,
    failures integer not null default 0,
    lease_token integer,
    lease_worker integer,
    lease_deadline integer,
    enqueued_at integer not null,
    ended_at integer
) strict;

-- One node has one job, however often a restarted server enqueues it.
create unique index jobs_identity on jobs (run, path);
create index jobs_ready on jobs (shard, order_key, id) where delivery = 0;
create index jobs_leased on jobs (lease_deadline) where delivery = 1;

create table attempts (
    job integer not null references jobs (id),
    number integer not null,
    token integer not null,
    worker integer not null,
    slot integer,
    started_at integer not null,
    ended_at integer,
    ending text,
    error_kind text,
    error_message text,
    error_stack text,
    compute_us integer not null default 0,
    flops real not null default 0,
    primary key (job, number)
) strict, without rowid;
