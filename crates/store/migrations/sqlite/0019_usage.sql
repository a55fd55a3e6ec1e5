-- What each project has (ADR 0051): one row for each replica of the server, which changes it in the transaction of whatever it
-- counts. open_jobs: jobs that have not ended. stored_bytes: inputs and values of jobs, inputs and values of runs, and files.
create table project_usage (
    project integer not null,
    replica integer not null,
    open_jobs integer not null default 0,
    stored_bytes integer not null default 0,
    primary key (project, replica)
) strict, without rowid;
insert into project_usage (project, replica, open_jobs, stored_bytes)
select p.id, 0, coalesce(j.open_jobs, 0),
    coalesce(j.bytes, 0) + coalesce(l.bytes, 0) + coalesce(i.bytes, 0) + coalesce(r.bytes, 0) + coalesce(b.bytes, 0)
from projects p
left join (
    select project, sum(delivery <> 2) as open_jobs, sum(length(input) + coalesce(length(result), 0)) as bytes
    from jobs group by project
) j on j.project = p.id
left join (
    select j.project, sum(length(v.bytes)) as bytes
    from large_values v join jobs j on j.id = v.job group by j.project
) l on l.project = p.id
left join (
    select r.project, sum(length(v.value)) as bytes
    from run_inputs v join runs r on r.id = v.run group by r.project
) i on i.project = p.id
left join (select project, sum(length(result)) as bytes from runs group by project) r on r.project = p.id
left join (
    select o.project, sum(length(f.bytes)) as bytes
    from project_blobs o join blobs f on f.hash = o.blob group by o.project
) b on b.project = p.id;
