-- Moments are milliseconds since 1970. Hashes are 32 bytes. Values are CBOR.

create table blobs (
    hash binary(32) not null primary key,
    bytes longblob not null,
    size bigint generated always as (length(bytes)) stored
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

create table workflows (
    hash binary(32) not null primary key,
    name longtext not null,
    created_at bigint not null
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Paths are at most 255 bytes long (MAX_FILE_NAME_BYTES). As bytes, because texts are equal here that differ in spaces
-- at their ends.
create table workflow_files (
    workflow binary(32) not null,
    path varbinary(255) not null,
    `blob` binary(32) not null,
    primary key (workflow, path),
    foreign key (workflow) references workflows (hash),
    foreign key (`blob`) references blobs (hash)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

create table runs (
    id bigint not null primary key,
    workflow binary(32) not null,
    name longtext not null,
    seed bigint not null,
    state varchar(32) not null,
    created_at bigint not null,
    finished_at bigint,
    result longblob,
    `view` longtext,
    foreign key (workflow) references workflows (hash)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

create index runs_open on runs (finished_at, id);

-- delivery: 0 ready, 1 leased, 2 ended. outcome says how an ended job ended.
-- identity: the hash of the path, which may be longer than an index takes.
create table jobs (
    id bigint not null primary key,
    shard int not null default 0,
    run bigint,
    path longtext,
    identity binary(32) generated always as (unhex(sha2(path, 256))) stored,
    code binary(32) not null,
    source longtext not null,
    input longblob not null,
    seed bigint not null,
    order_key bigint not null,
    timeout_ms int unsigned not null,
    max_attempts int unsigned not null,
    delivery tinyint unsigned not null default 0,
    outcome varchar(16),
    result longblob,
    handed_out int unsigned not null default 0,
    failures int unsigned not null default 0,
    lease_token bigint,
    lease_worker bigint,
    lease_deadline bigint,
    enqueued_at bigint not null,
    ended_at bigint,
    foreign key (run) references runs (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- One node has one job, however often a restarted server enqueues it.
create unique index jobs_identity on jobs (run, identity);
-- Indexes of a part of the rows do not exist here: what is ready, or leased, stands together at one place of these.
create index jobs_ready on jobs (delivery, shard, order_key, id);
create index jobs_leased on jobs (lease_deadline);
create index jobs_held on jobs (lease_worker);

create table attempts (
    job bigint not null,
    number int unsigned not null,
    token bigint not null,
    worker bigint not null,
    slot int unsigned,
    started_at bigint not null,
    ended_at bigint,
    ending varchar(16),
    error_kind longtext,
    error_message longtext,
    error_stack longtext,
    compute_us bigint not null default 0,
    flops double not null default 0,
    primary key (job, number),
    foreign key (job) references jobs (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- The last transaction of each server: what a server looks at when its connection is lost in the middle of a commit.
create table writers (
    id bigint not null primary key,
    mark bigint not null,
    at bigint not null
) engine = InnoDB;
