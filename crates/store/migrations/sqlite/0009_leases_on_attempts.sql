-- A lease is an attempt's (ADR 0039). due_at: its end, null once the attempt has ended.
alter table attempts add column due_at integer;

-- wanted: how many more copies of a job may go out; open_attempts: how many are out.
alter table jobs add column wanted integer not null default 0;
alter table jobs add column open_attempts integer not null default 0;

update attempts set due_at = j.due_at from jobs j
where j.delivery = 1 and j.due_at is not null and attempts.job = j.id and attempts.token = j.lease_token
    and attempts.ending is null;
-- due_at of a job is the end of a delay or of the longest wait from here on.
update jobs set open_attempts = 1, due_at = null where delivery = 1 and due_at is not null;
update jobs set wanted = 1 where delivery in (0, 3, 4);

create index attempts_due on attempts (due_at) where due_at is not null;
alter table jobs drop column lease_token;
alter table jobs drop column lease_worker;
