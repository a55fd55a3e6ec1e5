-- Workers for people (docs/operations.md): each that was given something, as it was when it was last written down.
create table workers (
    id integer not null primary key,
    agent text not null,
    device blob,
    adapter text,
    capabilities integer not null,
    memory_mb integer not null,
    slots integer not null,
    connected_at integer not null,
    heard_at integer not null,
    done integer not null,
    errors integer not null,
    expired integer not null
) strict;
create index workers_heard on workers (heard_at);

-- held_until: until when a device is given nothing; for a ban, which has banned_at as well, the end of time. note: why, for people.
alter table devices add column held_until integer;
alter table devices add column banned_at integer;
alter table devices add column note text;
create index devices_held on devices (held_until) where held_until is not null;

-- The history of a worker.
create index attempts_of_workers on attempts (worker, started_at);
