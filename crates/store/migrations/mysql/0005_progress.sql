-- How much of its job an attempt has done, 0 to 1, as its last heartbeat told; null where none did.
alter table attempts add column progress double;
