-- Tidegate cluster bulkhead for PostgreSQL, from version 3 to 4. cluster_functions.sql comes after it. Processes may
-- continue to run: those of version 3 claim by the same function as before. A claim that runs at the same time may
-- fail; it changes nothing then, and its member asks again. Run both scripts once, as one transaction.

drop function if exists tidegate_locked_cap, tidegate_needy, tidegate_part, tidegate_claim_slice, tidegate_set_cap, tidegate_leave_cap,
    tidegate_delete_cap;

-- The first claim of each cap counts its members.
alter table tidegate_cap
    add column members int not null default 0, add column held bigint not null default 0, add column lack bigint not null default 0,
    add column needs int[] not null default '{}', add column needy int[] not null default '{}', add column count_at bigint not null default 0;
alter table tidegate_slice add column lack int not null default 0;
alter table tidegate_slice alter column lack drop default;
