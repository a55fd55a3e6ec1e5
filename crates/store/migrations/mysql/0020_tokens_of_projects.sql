-- Tokens that are for one project alone, for those who look after it (ADR 0051).
create index tokens_project on tokens (project, id);
