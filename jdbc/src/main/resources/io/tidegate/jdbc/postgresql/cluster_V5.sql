-- Tidegate cluster bulkhead for PostgreSQL, version 5: its tables. Needs version 3 of the work lease. cluster_functions.sql comes after it.
-- Run both once, in the schema that the application's connections have first in their search_path, as one transaction.

-- A row for each cap, with sums over its members. It is locked before anything else of the cap is read, and written
-- whenever a member changes.
create table tidegate_cap (
    name text not null primary key,
    cap int not null check (cap > 0),
    members int not null default 0,
    held bigint not null default 0,
    lack bigint not null default 0,
    -- the distinct needs of the members, in rising order, and how many members have each; members that take single
    -- permits and need none are left out
    needs int[] not null default '{}',
    needy int[] not null default '{}',
    -- until when the sums stay right: at this time a lease may end, or a need lapse; 0 if all members are to be counted
    -- anew
    count_at bigint not null default 0
) with (fillfactor = 50);

-- A row for each member, until it leaves, or until its lease has ended and another member claims.
create table tidegate_slice (
    name text not null,
    owner text not null,
    -- the number of the member's last claim
    number bigint not null,
    slice int not null,
    -- the slice, or the number in flight if that is greater
    held int not null,
    need int not null,
    -- what the member was short of its part at its last claim
    lack int not null,
    -- whether the member takes single permits instead of slices
    exact boolean not null,
    -- until when its turn lasts; after the turn, when the turn ended; for a member without a slice, since when it waits
    turn_at bigint not null,
    -- when the member last claimed
    asked_at bigint not null,
    lease_until bigint not null,
    primary key (name, owner)
) with (fillfactor = 50);
