-- Devices that results came from, by the hash of their key (ADR 0018). Nothing here says whose they are.
create table devices (
    fingerprint blob not null primary key,
    first_seen integer not null,
    last_seen integer not null,
    accepted integer not null
) strict, without rowid;
create index devices_seen on devices (last_seen);
