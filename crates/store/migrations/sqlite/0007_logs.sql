-- What an attempt's code has logged (ADR 0020): lines; null where it has logged nothing.
alter table attempts add column log text;
