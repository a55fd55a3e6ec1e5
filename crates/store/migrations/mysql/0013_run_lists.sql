-- Lists of runs by state and by workflow, and the names of workflows by age: a page begins where the one before has ended.
-- Entries end with the key of their row.
create index runs_by_state on runs (state, id);
create index runs_by_workflow on runs (workflow, id);
create index workflow_names_by_age on workflow_names (created_at);
