-- What jobs wait for, and stand-alone jobs (ADR 0016).

-- Jobs of a paused run are not handed out. One row here: nothing is.
alter table runs add column paused_at integer;
create table queue_pause (since integer not null) strict;

-- delivery has two more states: 3 delayed, 4 held by a paused run. due_at: when a job's state changes by itself, which
-- of a leased job is the lease's deadline.
alter table jobs rename column lease_deadline to due_at;
alter table jobs add column needs integer not null default 1;
alter table jobs add column max_wait_ms integer;
alter table jobs add column retry_ms integer not null default 1000;

-- Of a stand-alone job; its path is the key there.
alter table jobs add column queue text;

drop index jobs_ready;
drop index jobs_leased;
create index jobs_ready on jobs (shard, needs, order_key, id) where delivery = 0;
create index jobs_due on jobs (delivery, due_at) where due_at is not null;
create index jobs_paused on jobs (run) where delivery = 4;
create unique index jobs_named on jobs (queue, path) where queue is not null;
create index jobs_queued on jobs (queue, id) where queue is not null;
create index jobs_alone on jobs (ended_at) where queue is not null and ended_at is not null;
