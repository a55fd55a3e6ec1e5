-- Jobs of runs that went wrong at least once: shown first.
create index jobs_troubled on jobs (run, id) where run is not null and (failures > 0 or outcome in ('failed', 'overdue'));

-- Attempts whose code has logged something, in the order in which they ended. Entries end with the key of their row.
create index attempts_logged on attempts (ended_at) where log is not null;

-- Runs by name, the newest of each name first.
create index runs_by_name on runs (name, id desc);
create index runs_of_project_by_name on runs (project, name, id desc);
