-- What a run has come to, as facts in CBOR: its totals, why it failed, its first nodes, and how many there are. They take the
-- place of `view`, which holds what servers of earlier releases showed: it is read until it has become facts, and never
-- written.
alter table runs add column summary blob;
alter table runs add column error blob;
alter table runs add column nodes blob;
alter table runs add column node_count integer not null default 0;

-- checked_by: the number of the checker that accepted the workflow last. final_node: the id of the node whose value is a run's
-- result; null until somebody asks for a workflow of an earlier release, empty where its document is refused.
alter table workflows add column checked_by integer not null default 1;
alter table workflows add column final_node text;
