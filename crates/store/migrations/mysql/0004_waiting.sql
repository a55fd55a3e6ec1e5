-- What jobs wait for, and stand-alone jobs (ADR 0016).

-- Jobs of a paused run are not handed out. One row here: nothing is.
alter table runs add column paused_at bigint;
create index runs_paused on runs (paused_at);
create table queue_pause (since bigint not null primary key) engine = InnoDB;

-- delivery has two more states: 3 delayed, 4 held by a paused run. due_at: when a job's state changes by itself, which
-- of a leased job is the lease's deadline. queue: of a stand-alone job, as bytes; its path is the key there. queue_key,
-- alone_at: null of all others, so that the indexes of stand-alone jobs cost those little.
alter table jobs
    drop index jobs_ready,
    drop index jobs_leased,
    rename column lease_deadline to due_at,
    add column needs bigint not null default 1,
    add column max_wait_ms int unsigned,
    add column retry_ms int unsigned not null default 1000,
    add column queue varbinary(400),
    add column queue_key binary(32) generated always as (if(queue is null, null, unhex(sha2(path, 256)))) stored,
    add column alone_at bigint generated always as (if(queue is null, null, ended_at)) stored,
    add index jobs_ready (delivery, shard, needs, order_key, id),
    add index jobs_due (delivery, due_at),
    add unique index jobs_named (queue, queue_key),
    add index jobs_queued (queue, id),
    add index jobs_alone (alone_at);
