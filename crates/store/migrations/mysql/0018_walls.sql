-- Each job is of a project: that of its run, or of who put it in (ADR 0051). The same queue and key in two of them are two jobs.
-- The column alone takes no rewriting of rows.
alter table jobs add column project bigint not null default 1;
alter table jobs
    drop index jobs_named,
    drop index jobs_queued,
    add unique index jobs_named (project, queue, queue_key),
    add index jobs_queued (project, queue, id);

-- A workflow is in a project where it has a name there. Entries of the indexes end with the rest of their row's key, so that those
-- of a project are in the order of age.
alter table workflow_names
    add column project bigint not null default 1,
    drop primary key,
    add primary key (project, identity, workflow),
    add index workflow_names_of_project (project, created_at),
    add index workflow_names_of_workflow (workflow, project, created_at);

-- Which files a project has. own: put in as the code of a job, and not only a workflow's.
create table project_blobs (
    `blob` binary(32) not null,
    project bigint not null,
    own tinyint not null,
    primary key (`blob`, project),
    foreign key (`blob`) references blobs (hash)
) engine = InnoDB;
insert into project_blobs (`blob`, project, own)
select hash, 1, not exists (select 1 from workflow_files f where f.`blob` = hash) from blobs;
