-- What a person says who pauses a run or the queue, and the name of their account.
alter table runs add column paused_by text;
alter table runs add column paused_note text;
alter table queue_pause add column paused_by text;
alter table queue_pause add column paused_note text;
