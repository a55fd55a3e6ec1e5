-- Devices for people (docs/trust.md). number: the first fifteen digits of the fingerprint, by which records know a device.
alter table devices add column number bigint not null default 0;
update devices set number = conv(left(hex(fingerprint), 15), 16, 10);
create index devices_by_number on devices (number);

-- standing: who is trusted, who is established, and the others, unless they rest: ten passes are `weevil_trust::limits::PASSES`.
alter table records
    add column standing tinyint unsigned as (case when trusted > 0 then 2 when passes >= 10 then 1 else 0 end) virtual;
create index records_by_standing on records (standing, device);
