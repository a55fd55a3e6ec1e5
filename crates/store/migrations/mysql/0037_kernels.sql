-- By which a job that stands alone finds kernels: those of a workflow, for this code alone.
create table kernel_sets (
    id binary(32) not null primary key,
    workflow binary(32) not null
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;
alter table jobs add column kernels binary(32);
