-- Tidegate cluster bulkhead for PostgreSQL, version 2. Needs version 1.
-- Run it once, in the schema that the application's connections have first in their search_path, as one transaction.

-- A row for each cap. It is locked before anything else of the cap is read.
create table tidegate_cap (
    name text not null primary key,
    cap int not null check (cap > 0)
) with (fillfactor = 50);

-- A row for each member, until it leaves or its lease has ended and somebody claims.
create table tidegate_slice (
    name text not null,
    owner text not null,
    -- the number of the member's last claim
    turn bigint not null,
    slice int not null,
    -- the slice, or what is in flight if that is more
    held int not null,
    need int not null,
    -- until when it may not be asked to let others have a turn; without a slice, since when it waits for one
    turn_at bigint not null,
    lease_until bigint not null,
    primary key (name, owner)
) with (fillfactor = 50);

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

-- The need is met as far as all can have as much. Of what nobody needs each has a part, unless somebody else holds it or should, and some is left for
-- who asks first. If not all who need something can have anything, who had its turn is first to do without, then who came last, then who has its turn.
create function tidegate_slice_goal(
    p_name text, p_owner text, p_slice int, p_need int, p_turn_at bigint, p_exact boolean, p_cap int, p_room int, p_now bigint
) returns int language plpgsql volatile as $$
declare
    m record;
    needy int;
    parts int;
    part int;
    rest int := p_cap;
    mine int := 0;
    owed int := 0;
begin
    select count(*) filter (where s.need > 0) + (p_need > 0)::int, 2 * count(*) + 1 into needy, parts
        from tidegate_slice s where s.name = p_name and s.owner <> p_owner;
    for m in
        with members as (
            select s.owner, s.slice, s.held, s.need, s.turn_at from tidegate_slice s
                where s.name = p_name and s.owner <> p_owner and s.need > 0
            union all
            select p_owner, p_slice, 0, p_need, p_turn_at where p_need > 0
        )
        select * from members order by
            case when needy <= p_cap then members.need when members.slice = 0 then 1 when members.turn_at > p_now then 2 else 0 end,
            case when needy <= p_cap then 0 when members.slice = 0 then -members.turn_at else members.turn_at end,
            members.owner collate "C"
    loop
        part := least(m.need, rest / needy);
        rest := rest - part;
        needy := needy - 1;
        if m.owner = p_owner then
            mine := part;
        else
            owed := owed + greatest(0, part - m.held);
        end if;
    end loop;
    return greatest(mine, least(case when p_exact then p_need else mine + rest / parts + (rest % parts > 0)::int end, p_room - owed));
end
$$;

create function tidegate_claim_slice(
    p_name text, p_owner text, p_turn bigint, p_first_cap int, p_slice int, p_in_use int, p_need int, p_exact boolean, p_lease_millis bigint
) returns table (granted int, goal int, cap int) language plpgsql volatile as $$
declare
    now_millis bigint;
    before tidegate_slice;
    kept int := 0;
    since bigint;
    room int;
begin
    cap := tidegate_locked_cap(p_name, p_first_cap);
    now_millis := tidegate_now();
    delete from tidegate_slice s where s.name = p_name and s.lease_until <= now_millis;
    select * into before from tidegate_slice s where s.name = p_name and s.owner = p_owner;
    if before.turn >= p_turn then
        granted := before.slice;
        goal := before.slice;
        return next;
        return;
    end if;
    since := now_millis;
    if before.turn is not null then
        kept := least(p_slice, before.slice);
        if kept > 0 or (before.slice = 0 and before.need > 0) then
            since := before.turn_at;
        end if;
    end if;
    select greatest(0, tidegate_claim_slice.cap - coalesce(sum(s.held), 0)) into room
        from tidegate_slice s where s.name = p_name and s.owner <> p_owner;
    goal := tidegate_slice_goal(p_name, p_owner, kept, p_need, since, p_exact, cap, room, now_millis);
    granted := greatest(kept, least(goal, room));
    if p_exact then
        goal := p_need;
    end if;
    if kept = 0 and granted > 0 then
        since := now_millis + p_lease_millis;
    end if;
    insert into tidegate_slice as s (name, owner, turn, slice, held, need, turn_at, lease_until)
        values (p_name, p_owner, p_turn, granted, greatest(granted, p_in_use), p_need, since, now_millis + p_lease_millis)
        on conflict (name, owner) do update set turn = excluded.turn, slice = excluded.slice, held = excluded.held,
            need = excluded.need, turn_at = excluded.turn_at, lease_until = excluded.lease_until;
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

insert into tidegate_schema (version) values (2);
