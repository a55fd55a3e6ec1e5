-- By which a job that stands alone finds kernels: those of a workflow, for this code alone.
create table kernel_sets (
    id blob not null primary key,
    workflow blob not null
) strict, without rowid;
alter table jobs add column kernels blob;
