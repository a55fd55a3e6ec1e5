-- What ended long ago is forgotten, the oldest first.
create index runs_ended on runs (finished_at) where finished_at is not null;
