-- The blobs that are code: what volunteers are given (ADR 0051). A table of its own, so that no blob is written anew, and a look
-- for one that is no code reads none.
create table code_blobs (
    hash binary(32) not null primary key,
    foreign key (hash) references blobs (hash)
) engine = InnoDB;
insert into code_blobs (hash)
select hash from blobs where hash in (select code from jobs)
union
select `blob` from workflow_files
where path like '%.js' or path like '%.wasm' or path like '%.wgsl' or path like '%.cl';
