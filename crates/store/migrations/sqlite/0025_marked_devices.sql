-- Devices for people (docs/trust.md). number: the first fifteen digits of the fingerprint, by which records know a device.
alter table devices add column number integer not null default 0;
update devices set number = ('0x' || substr(hex(fingerprint), 1, 15)) ->> '$';
create index devices_by_number on devices (number);

-- Who is trusted, who is established, and the others, unless they rest: ten passes are `weevil_trust::limits::PASSES`.
create index records_by_standing on records (case when trusted > 0 then 2 when passes >= 10 then 1 else 0 end, device);
