-- What modules of workflows say of answers (ADR 0067).

-- The module that says whether a result is right; null where there is none.
alter table jobs add column proof blob;

-- Values of which a module has yet to say something: whether they are right, and which of those that came before agree.
create table questions (
    project integer not null,
    job integer not null,
    digest blob not null,
    primary key (job, digest),
    foreign key (job, digest) references answer_values (job, digest) on delete cascade
) strict, without rowid;
create index questions_of_projects on questions (project, job, digest);

-- Jobs whose value the workflow's own proof has found right.
alter table judgements add column proved integer not null default 0;

-- What the server says to why it has paused a run, where its reason alone does not tell.
alter table runs add column paused_words text;
