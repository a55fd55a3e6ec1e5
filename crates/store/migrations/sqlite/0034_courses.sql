-- How runs went (ADR 0072), beside their facts. states: how each node stood at the end, CBOR with a byte for each. profile: what was
-- computed when, CBOR. Null while a run goes on, and for what an earlier release has ended.
alter table runs add column states blob;
alter table runs add column profile blob;
