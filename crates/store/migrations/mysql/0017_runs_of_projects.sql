-- Each run is of a project, and lists of runs are those of one (ADR 0051). created_by: who began it, as the audit names them; null
-- for a run from before. Entries end with the key of their row.
alter table runs
    add column project bigint not null default 1,
    add column created_by varchar(32),
    add index runs_of_project (project, id),
    add index runs_of_project_by_state (project, state, id),
    add index runs_of_project_by_workflow (project, workflow, id);
