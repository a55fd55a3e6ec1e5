-- Codes of which no job that stands alone is handed out in a queue, since the first of them have all failed (ADR 0066).
create table stopped_codes (
    project bigint not null,
    queue varbinary(400) not null,
    code binary(32) not null,
    example bigint not null,
    stopped_at bigint not null,
    primary key (project, queue, code)
) engine = InnoDB default charset = utf8mb4 collate = utf8mb4_bin;
