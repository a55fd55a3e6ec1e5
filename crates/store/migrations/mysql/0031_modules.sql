-- What modules of workflows say of answers (ADR 0067).

-- The module that says whether a result is right; null where there is none.
alter table jobs
    add column proof binary(32);

-- Values of which a module has yet to say something: whether they are right, and which of those that came before agree.
create table questions (
    project bigint not null,
    job bigint not null,
    digest binary(32) not null,
    primary key (job, digest),
    key questions_of_projects (project, job, digest),
    foreign key (job, digest) references answer_values (job, digest) on delete cascade
) engine = InnoDB;

-- Jobs whose value the workflow's own proof has found right.
alter table judgements
    add column proved bigint not null default 0;

-- What the server says to why it has paused a run, where its reason alone does not tell.
alter table runs
    add column paused_words text character set utf8mb4;
