-- Devices that results came from, by the hash of their key (ADR 0018). Nothing here says whose they are.
create table devices (
    fingerprint binary(32) not null primary key,
    first_seen bigint not null,
    last_seen bigint not null,
    accepted bigint not null,
    index devices_seen (last_seen)
) engine = InnoDB;
