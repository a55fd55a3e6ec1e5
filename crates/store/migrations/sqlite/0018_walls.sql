-- Each job is of a project: that of its run, or of who put it in (ADR 0051). The same queue and key in two of them are two jobs.
alter table jobs add column project integer not null default 1;
drop index jobs_named;
drop index jobs_queued;
create unique index jobs_named on jobs (project, queue, path) where queue is not null;
create index jobs_queued on jobs (project, queue, id) where queue is not null;

-- A workflow is in a project where it has a name there. Entries of the indexes end with the rest of their row's key, so that those
-- of a project are in the order of age.
create table named (
    project integer not null default 1,
    name text not null,
    workflow blob not null references workflows (hash),
    created_at integer not null,
    primary key (project, name, workflow)
) strict, without rowid;
insert into named (name, workflow, created_at) select name, workflow, created_at from workflow_names;
drop table workflow_names;
alter table named rename to workflow_names;
create index workflow_names_by_age on workflow_names (created_at);
create index workflow_names_of_project on workflow_names (project, created_at);
create index workflow_names_of_workflow on workflow_names (workflow, project, created_at);

-- Which files a project has. own: put in as the code of a job, and not only a workflow's.
create table project_blobs (
    blob blob not null references blobs (hash),
    project integer not null,
    own integer not null,
    primary key (blob, project)
) strict, without rowid;
insert into project_blobs (blob, project, own)
select hash, 1, not exists (select 1 from workflow_files f where f.blob = hash) from blobs;
create index workflow_files_of_blob on workflow_files (blob);
