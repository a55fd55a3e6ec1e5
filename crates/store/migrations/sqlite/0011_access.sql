-- Accounts, and what belongs to them (ADR 0046). What opens something stands here as its SHA-256 alone.

-- What the server itself knows, shared by all servers of this database.
create table secrets (
    name text primary key not null,
    bytes blob not null,
    made_at integer not null
) strict, without rowid;

-- state: 0 active, 1 disabled, 2 removed, since state_at. A removed account has neither name nor password.
create table accounts (
    id integer primary key not null,
    name text,
    display text not null,
    admin integer not null,
    password text,
    created_at integer not null,
    state integer not null default 0,
    state_at integer
) strict;
create unique index accounts_name on accounts (name);
create index accounts_state on accounts (state, id);
create index accounts_admin on accounts (admin, state);

-- rotated_from: the hash of the cookie before, which is good for a moment after halves_at.
create table sessions (
    id integer primary key not null,
    hash blob not null,
    rotated_from blob,
    account integer not null references accounts (id),
    face text not null,
    opened_at integer not null,
    proved_at integer not null,
    halves_at integer not null,
    used_at integer not null,
    ends_at integer not null,
    browser text not null,
    place text not null
) strict;
create unique index sessions_hash on sessions (hash);
create unique index sessions_rotated on sessions (rotated_from);
create index sessions_account on sessions (account, id);
create index sessions_end on sessions (ends_at);

-- kind says what a link is good for; account: whose password it sets, admin: what an invitation makes.
create table links (
    hash blob primary key not null,
    kind text not null,
    made_by text not null,
    account integer references accounts (id),
    admin integer not null,
    made_at integer not null,
    expires_at integer not null,
    used_at integer
) strict, without rowid;
create index links_kind on links (kind, used_at, expires_at);
create index links_account on links (account);
create index links_end on links (expires_at);

-- scopes: words with a space between; project: null for all of its owner's.
create table tokens (
    id integer primary key not null,
    hash blob not null,
    name text not null,
    owner integer not null references accounts (id),
    scopes text not null,
    project integer,
    made_at integer not null,
    expires_at integer not null,
    used_at integer,
    revoked_at integer
) strict;
create unique index tokens_hash on tokens (hash);
create index tokens_owner on tokens (owner, id);
create index tokens_live on tokens (owner, expires_at);
create index tokens_end on tokens (expires_at);

-- Each row holds the hash of the one before.
create table audit (
    id integer primary key not null,
    written_at integer not null,
    actor text not null,
    action text not null,
    subject text,
    project integer,
    place text,
    outcome text not null,
    details text,
    previous blob not null,
    hash blob not null
) strict;
create index audit_moment on audit (written_at, id);
create index audit_actor on audit (actor, action, id);
create index audit_actor_all on audit (actor, id);
create index audit_action on audit (action, id);
create index audit_project on audit (project, id);

-- Both ends of the chain, in one row: the last row that was trimmed, and the last that was written. Whoever changes
-- something that the audit tells of takes this row first.
create table audit_ends (
    id integer primary key not null,
    trimmed integer not null,
    trimmed_at integer not null,
    trimmed_hash blob not null,
    last integer not null,
    last_at integer not null,
    last_hash blob not null
) strict;
insert into audit_ends (id, trimmed, trimmed_at, trimmed_hash, last, last_at, last_hash)
values (1, 0, 0, zeroblob(32), 0, 0, zeroblob(32));
