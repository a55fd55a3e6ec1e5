-- Each run is of a project, and lists of runs are those of one (ADR 0051). created_by: who began it, as the audit names them; null
-- for a run from before. Entries end with the key of their row.
alter table runs add column project integer not null default 1;
alter table runs add column created_by text;
create index runs_of_project on runs (project, id);
create index runs_of_project_by_state on runs (project, state, id);
create index runs_of_project_by_workflow on runs (project, workflow, id);
