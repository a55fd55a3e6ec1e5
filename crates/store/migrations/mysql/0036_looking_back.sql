-- Jobs of runs that went wrong at least once: shown first. troubled_run: null of all others, and of stand-alone jobs.
alter table jobs
    add column troubled_run bigint generated always as (if(failures > 0 or outcome in ('failed', 'overdue'), run, null)) stored,
    add index jobs_troubled (troubled_run, id);

-- Attempts whose code has logged something, in the order in which they ended; logged_at: null of all others.
alter table attempts
    add column logged_at bigint generated always as (if(log is null, null, ended_at)) stored,
    add index attempts_logged (logged_at);

-- Runs by name, the newest of each name first. name_key: the name, since no index takes a long text whole.
alter table runs
    add column name_key varchar(100) generated always as (left(name, 100)) stored,
    add index runs_by_name (name_key, id desc),
    add index runs_of_project_by_name (project, name_key, id desc);
