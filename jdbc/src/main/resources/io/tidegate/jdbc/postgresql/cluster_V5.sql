-- Tidegate cluster bulkhead for PostgreSQL, version 5: its tables. Needs version 3 of the work lease. cluster_functions.sql comes after it.
-- Run both once, in the schema that the application's connections have first in their search_path, as one transaction.

-- A row for each cap, with sums over its members. It is locked before anything else of the cap is read, and written whenever that changes.
create table tidegate_cap (
    name text not null primary key,
    cap int not null check (cap > 0),
    members int not null default 0,
    held bigint not null default 0,
    lack bigint not null default 0,
    -- what members need, in rising order, and how many need just that; those that take permits one by one and need none are left out
    needs int[] not null default '{}',
    needy int[] not null default '{}',
    -- until when the sums are right by themselves: then a lease may end, or a need lapse; 0 if all is to be counted anew
    count_at bigint not null default 0
) with (fillfactor = 50);

-- A row for each member, until it leaves or its lease has ended and somebody claims.
create table tidegate_slice (
    name text not null,
    owner text not null,
    -- of the member's last claim
    number bigint not null,
    slice int not null,
    -- the slice, or what is in flight if that is more
    held int not null,
    need int not null,
    -- what it held less than its part when it claimed last
    lack int not null,
    -- whether it takes permits one by one
    exact boolean not null,
    -- until when its turn lasts; if that is over, when it ended, or without a slice since when it waits
    turn_at bigint not null,
    -- when it claimed last
    asked_at bigint not null,
    lease_until bigint not null,
    primary key (name, owner)
) with (fillfactor = 50);
