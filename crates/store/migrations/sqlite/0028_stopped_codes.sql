-- Codes of which no job that stands alone is handed out in a queue, since the first of them have all failed (ADR 0066).
create table stopped_codes (
    project integer not null,
    queue text not null,
    code blob not null,
    example integer not null,
    stopped_at integer not null,
    primary key (project, queue, code)
) strict, without rowid;
