-- Accounts, and what belongs to them (ADR 0046). What opens something stands here as its SHA-256 alone.

-- What the server itself knows, shared by all servers of this database.
create table secrets (
    name varchar(32) not null primary key,
    bytes varbinary(64) not null,
    made_at bigint not null
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- state: 0 active, 1 disabled, 2 removed, since state_at. A removed account has neither name nor password. Names are kept
-- as bytes: texts are equal here that differ in spaces at their ends.
create table accounts (
    id bigint not null primary key,
    name varbinary(64),
    display varchar(400) not null,
    admin tinyint unsigned not null,
    password varchar(255),
    created_at bigint not null,
    state tinyint unsigned not null default 0,
    state_at bigint,
    unique index accounts_name (name),
    index accounts_state (state, id),
    index accounts_admin (admin, state)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- rotated_from: the hash of the cookie before, which is good for a moment after halves_at.
create table sessions (
    id bigint not null primary key,
    hash binary(32) not null,
    rotated_from binary(32),
    account bigint not null,
    face varchar(16) not null,
    opened_at bigint not null,
    proved_at bigint not null,
    halves_at bigint not null,
    used_at bigint not null,
    ends_at bigint not null,
    browser varchar(400) not null,
    place varchar(64) not null,
    unique index sessions_hash (hash),
    unique index sessions_rotated (rotated_from),
    index sessions_account (account, id),
    index sessions_end (ends_at),
    foreign key (account) references accounts (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- kind says what a link is good for; account: whose password it sets, admin: what an invitation makes.
create table links (
    hash binary(32) not null primary key,
    kind varchar(16) not null,
    made_by varchar(32) not null,
    account bigint,
    admin tinyint unsigned not null,
    made_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    index links_kind (kind, used_at, expires_at),
    index links_account (account),
    index links_end (expires_at),
    foreign key (account) references accounts (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- scopes: words with a space between; project: null for all of its owner's.
create table tokens (
    id bigint not null primary key,
    hash binary(32) not null,
    name varchar(400) not null,
    owner bigint not null,
    scopes varchar(1000) not null,
    project bigint,
    made_at bigint not null,
    expires_at bigint not null,
    used_at bigint,
    revoked_at bigint,
    unique index tokens_hash (hash),
    index tokens_owner (owner, id),
    index tokens_live (owner, expires_at),
    index tokens_end (expires_at),
    foreign key (owner) references accounts (id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Each row holds the hash of the one before.
create table audit (
    id bigint not null primary key,
    written_at bigint not null,
    actor varchar(32) not null,
    action varchar(32) not null,
    subject varchar(200),
    project bigint,
    place varchar(64),
    outcome varchar(16) not null,
    details longtext,
    previous binary(32) not null,
    hash binary(32) not null,
    index audit_moment (written_at, id),
    index audit_actor (actor, action, id),
    index audit_actor_all (actor, id),
    index audit_action (action, id),
    index audit_project (project, id)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;

-- Both ends of the chain, in one row: the last row that was trimmed, and the last that was written. Whoever changes
-- something that the audit tells of takes this row first.
create table audit_ends (
    id tinyint not null primary key,
    trimmed bigint not null,
    trimmed_at bigint not null,
    trimmed_hash binary(32) not null,
    last bigint not null,
    last_at bigint not null,
    last_hash binary(32) not null
) engine = InnoDB;
insert into audit_ends (id, trimmed, trimmed_at, trimmed_hash, last, last_at, last_hash)
values (1, 0, 0, repeat(x'00', 32), 0, 0, repeat(x'00', 32));
