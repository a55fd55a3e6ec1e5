-- A lease is an attempt's (ADR 0039). due_at: its end, null once the attempt has ended.
alter table attempts add column due_at bigint;

-- wanted: how many more copies of a job may go out; open_attempts: how many are out.
alter table jobs
    add column wanted tinyint unsigned not null default 0,
    add column open_attempts tinyint unsigned not null default 0;

update jobs j force index (jobs_due) straight_join attempts a on a.job = j.id and a.token = j.lease_token
set a.due_at = j.due_at
where j.delivery = 1 and a.ending is null;

-- due_at of a job is the end of a delay or of the longest wait from here on.
update jobs set open_attempts = 1, due_at = null where delivery = 1;
update jobs set wanted = 1 where delivery in (0, 3, 4);

alter table attempts add index attempts_due (due_at);
alter table jobs drop index jobs_held, drop column lease_token, drop column lease_worker;
