-- Projects and who belongs to them (ADR 0051). All that was there before is of project 1, whose moment is that of no clock.

-- What a project may have of each: 0 is no bound. archived_at: since when it takes nothing new.
create table projects (
    id integer primary key not null,
    slug text not null,
    name text not null,
    created_at integer not null,
    archived_at integer,
    most_open_jobs integer not null default 0,
    most_open_runs integer not null default 0,
    most_stored_bytes integer not null default 0,
    most_jobs_a_minute integer not null default 0
) strict;
create unique index projects_slug on projects (slug);
insert into projects (id, slug, name, created_at) values (1, 'default', 'Default', 0);

create table members (
    project integer not null references projects (id),
    account integer not null references accounts (id),
    role text not null,
    since integer not null,
    primary key (project, account)
) strict, without rowid;
create index members_account on members (account, project);

-- What an invitation makes its account a member of, and as what.
alter table links add column project integer references projects (id);
alter table links add column role text;
