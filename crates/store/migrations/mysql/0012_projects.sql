-- Projects and who belongs to them (ADR 0051). All that was there before is of project 1, whose moment is that of no clock.

-- What a project may have of each: 0 is no bound. archived_at: since when it takes nothing new.
create table projects (
    id bigint not null primary key,
    slug varchar(40) not null,
    name varchar(400) not null,
    created_at bigint not null,
    archived_at bigint,
    most_open_jobs bigint not null default 0,
    most_open_runs bigint not null default 0,
    most_stored_bytes bigint not null default 0,
    most_jobs_a_minute bigint not null default 0,
    unique index projects_slug (slug)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;
insert into projects (id, slug, name, created_at) values (1, 'default', 'Default', 0);

create table members (
    project bigint not null,
    account bigint not null,
    role varchar(16) not null,
    since bigint not null,
    primary key (project, account),
    index members_account (account, project),
    foreign key (project) references projects (id),
    foreign key (account) references accounts (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- What an invitation makes its account a member of, and as what.
alter table links add column project bigint, add column role varchar(16), add foreign key (project) references projects (id);
