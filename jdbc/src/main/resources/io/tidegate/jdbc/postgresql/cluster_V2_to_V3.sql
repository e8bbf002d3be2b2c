-- Tidegate cluster bulkhead for PostgreSQL, from version 2 to 3. cluster_V3_to_V4.sql and cluster_functions.sql come
-- after it. Processes may continue to run. Run all scripts once, as one transaction.

drop function tidegate_locked_cap, tidegate_slice_goal, tidegate_claim_slice, tidegate_set_cap, tidegate_leave_cap;

alter table tidegate_slice rename column turn to number;
alter table tidegate_slice add column exact boolean not null default false, add column asked_at bigint not null default 0;
alter table tidegate_slice alter column exact drop default, alter column asked_at drop default;
