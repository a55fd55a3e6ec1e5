-- Workers for people (docs/operations.md): each that was given something, as it was when it was last written down.
create table workers (
    id bigint not null primary key,
    agent varchar(200) not null,
    device binary(32),
    adapter varchar(100),
    capabilities int unsigned not null,
    memory_mb int unsigned not null,
    slots int unsigned not null,
    connected_at bigint not null,
    heard_at bigint not null,
    done int unsigned not null,
    errors int unsigned not null,
    expired int unsigned not null,
    index workers_heard (heard_at)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- held_until: until when a device is given nothing; for a ban, which has banned_at as well, the end of time. note: why, for people.
alter table devices
    add column held_until bigint,
    add column banned_at bigint,
    add column note varchar(200) character set utf8mb4 collate utf8mb4_bin;
create index devices_held on devices (held_until);

-- The history of a worker.
create index attempts_of_workers on attempts (worker, started_at);
