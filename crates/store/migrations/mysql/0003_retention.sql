-- What ended long ago is forgotten, the oldest first: `runs_open` leads there already. A step of its own, so that both
-- kinds of database have the same number.
alter table runs comment = 'ended runs are forgotten after the retention period';
