-- Tidegate cluster bulkhead for PostgreSQL, version 3: its tables. Needs version 2 of the work lease. cluster_functions.sql comes after it.
-- Run both once, in the schema that the application's connections have first in their search_path, as one transaction.

-- A row for each cap. It is locked before anything else of the cap is read.
create table tidegate_cap (
    name text not null primary key,
    cap int not null check (cap > 0)
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
    -- whether it takes permits one by one
    exact boolean not null,
    -- until when its turn lasts; if that is over, when it ended, or without a slice since when it waits
    turn_at bigint not null,
    -- when it claimed last
    asked_at bigint not null,
    lease_until bigint not null,
    primary key (name, owner)
) with (fillfactor = 50);

-- Tidegate cluster bulkhead for PostgreSQL, version 3: what its operations do. Comes after cluster_V3.sql or cluster_V2_to_V3.sql.

-- Locks by writing: with one snapshot for a whole transaction, the database then refuses one that is older than somebody's claim.
create function tidegate_locked_cap(p_name text, p_first_cap int) returns int language plpgsql volatile as $$
declare
    found_cap int;
begin
    perform tidegate_durable();
    loop
        update tidegate_cap c set cap = c.cap where c.name = p_name returning c.cap into found_cap;
        exit when found_cap is not null;
        insert into tidegate_cap (name, cap) values (p_name, p_first_cap) on conflict (name) do nothing;
    end loop;
    return found_cap;
end
$$;

-- Who needs something, and what; while there are as many permits as members, each keeps one.
create function tidegate_needy(
    p_name text, p_owner text, p_slice int, p_need int, p_exact boolean, p_turn_at bigint, p_cap int, p_now bigint
) returns table (owner text, held int, wants int, has_turn boolean, waits boolean, asks_soon boolean, turn_at bigint) language sql volatile as $$
    with members as (
        select s.owner, s.slice, s.held, s.need, s.exact, s.turn_at, s.asked_at from tidegate_slice s
            where s.name = p_name and s.owner <> p_owner
        union all
        select p_owner, p_slice, 0, p_need, p_exact, p_turn_at, p_now
    ), needs as (
        select m.*, case when m.exact then m.need else greatest(m.need, (count(*) over () <= p_cap)::int) end as wants from members m
    )
    -- nothing is kept for one that takes permits one by one and has not asked for one of late
    select n.owner, n.held, n.wants, n.turn_at > p_now, n.slice = 0 and n.turn_at <= p_now, not n.exact or p_now - n.asked_at <= 1500, n.turn_at
        from needs n where n.wants > 0
$$;

-- The need is met as far as all can have as much. Of what nobody needs each has a part, unless somebody else holds it or should, and some is left for
-- who asks first. If not all who need something can have anything, who had its turn is first to do without, then who came last, then who has its turn.
create function tidegate_part(
    p_name text, p_owner text, p_slice int, p_need int, p_exact boolean, p_turn_at bigint, p_cap int, p_room int, p_now bigint,
    out goal int, out wait_millis bigint
) language plpgsql volatile as $$
declare
    m record;
    needy int;
    scarce boolean;
    parts int;
    part int;
    rest int := p_cap;
    mine int := 0;
    owed int := 0;
    ahead int := 0;
    turn_ends bigint;
begin
    select 2 * count(*) + 1 into parts from tidegate_slice s where s.name = p_name and s.owner <> p_owner;
    select count(*) into needy from tidegate_needy(p_name, p_owner, p_slice, p_need, p_exact, p_turn_at, p_cap, p_now);
    scarce := needy > p_cap;
    for m in
        select * from tidegate_needy(p_name, p_owner, p_slice, p_need, p_exact, p_turn_at, p_cap, p_now) n order by
            case when not scarce then n.wants when n.waits then 1 when n.has_turn then 2 else 0 end,
            case when not scarce then 0 when n.waits then -n.turn_at else n.turn_at end,
            n.owner collate "C"
    loop
        part := least(m.wants, rest / needy);
        rest := rest - part;
        needy := needy - 1;
        if m.owner = p_owner then
            mine := part;
            ahead := 0;
        else
            if m.asks_soon or not p_exact then
                owed := owed + greatest(0, part - m.held);
            end if;
            if m.waits and m.asks_soon then
                ahead := ahead + 1;
            end if;
            if m.has_turn then
                turn_ends := least(turn_ends, m.turn_at);
            end if;
        end if;
    end loop;
    goal := greatest(mine, least(case when p_exact then p_need else mine + rest / parts + (rest % parts > 0)::int end, p_room - owed));
    -- who has its part asks anyway when it gives that back
    wait_millis := case
        when not scarce then 0
        when greatest(p_slice, least(goal, p_room)) > 0 then 1000
        else least(coalesce(turn_ends - p_now, 0) + ahead / p_cap * 50, 1000) end;
end
$$;

create function tidegate_claim_slice(
    p_name text, p_owner text, p_number bigint, p_first_cap int, p_slice int, p_in_use int, p_need int, p_exact boolean, p_lease_millis bigint
) returns table (granted int, goal int, cap int, wait_millis bigint) language plpgsql volatile as $$
declare
    now_millis bigint;
    before tidegate_slice;
    kept int := 0;
    turn bigint;
    room int;
begin
    cap := tidegate_locked_cap(p_name, p_first_cap);
    now_millis := tidegate_now();
    wait_millis := 0;
    delete from tidegate_slice s where s.name = p_name and s.lease_until <= now_millis;
    select * into before from tidegate_slice s where s.name = p_name and s.owner = p_owner;
    if before.number >= p_number then
        granted := before.slice;
        goal := before.slice;
        return next;
        return;
    end if;
    turn := now_millis;
    if before.number is not null then
        kept := least(p_slice, before.slice);
        if kept > 0 or before.turn_at > now_millis or (before.slice = 0 and before.need > 0) then
            turn := before.turn_at;
        end if;
    end if;
    select greatest(0, tidegate_claim_slice.cap - coalesce(sum(s.held), 0)) into room
        from tidegate_slice s where s.name = p_name and s.owner <> p_owner;
    select p.goal, p.wait_millis into goal, wait_millis
        from tidegate_part(p_name, p_owner, kept, p_need, p_exact, turn, cap, room, now_millis) p;
    granted := greatest(kept, least(goal, room));
    if p_exact then
        goal := p_need;
    end if;
    if not p_exact or granted >= p_need then
        wait_millis := 0;
    end if;
    -- who gives back and takes again in its turn does not make it any longer
    if kept = 0 and turn <= now_millis and granted > 0 then
        turn := now_millis + case when p_exact then 50 else p_lease_millis / 4 end;
    end if;
    insert into tidegate_slice as s (name, owner, number, slice, held, need, exact, turn_at, asked_at, lease_until)
        values (p_name, p_owner, p_number, granted, greatest(granted, p_in_use), p_need, p_exact, turn, now_millis, now_millis + p_lease_millis)
        on conflict (name, owner) do update set number = excluded.number, slice = excluded.slice, held = excluded.held,
            need = excluded.need, exact = excluded.exact, turn_at = excluded.turn_at, asked_at = excluded.asked_at,
            lease_until = excluded.lease_until;
    return next;
end
$$;

create function tidegate_set_cap(p_name text, p_cap int) returns void language plpgsql volatile as $$
begin
    perform tidegate_durable();
    insert into tidegate_cap (name, cap) values (p_name, p_cap) on conflict (name) do update set cap = excluded.cap;
end
$$;

create function tidegate_leave_cap(p_name text, p_owner text) returns void language plpgsql volatile as $$
begin
    perform from tidegate_cap c where c.name = p_name for update;
    delete from tidegate_slice s where s.name = p_name and s.owner = p_owner;
end
$$;

-- Only one that nobody has a lease on: members would not know of each other any more.
create function tidegate_delete_cap(p_name text) returns boolean language plpgsql volatile as $$
begin
    perform tidegate_durable();
    perform from tidegate_cap c where c.name = p_name for update;
    if not found or exists (select from tidegate_slice s where s.name = p_name and s.lease_until > tidegate_now()) then
        return false;
    end if;
    delete from tidegate_slice s where s.name = p_name;
    delete from tidegate_cap c where c.name = p_name;
    return true;
end
$$;

insert into tidegate_schema (component, version) values ('cluster', 3);
