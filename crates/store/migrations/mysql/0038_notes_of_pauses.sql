-- What a person says who pauses a run or the queue, and the name of their account.
alter table runs
    add column paused_by varchar(64) character set utf8mb4,
    add column paused_note text character set utf8mb4;
alter table queue_pause
    add column paused_by varchar(64) character set utf8mb4,
    add column paused_note text character set utf8mb4;
