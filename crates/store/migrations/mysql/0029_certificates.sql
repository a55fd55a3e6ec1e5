-- Certificates (ADR 0064). assumed: the share of all work, in millionths, that liars were assumed to do when the run began, and by
-- which a job by lots is judged; null where nothing is, and for what an earlier release took in.
alter table runs add column assumed int unsigned;
alter table jobs add column assumed int unsigned;
