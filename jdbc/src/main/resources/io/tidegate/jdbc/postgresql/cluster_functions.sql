-- Tidegate cluster bulkhead for PostgreSQL, version 5: its operations. Run it after cluster_V5.sql,
-- cluster_V3_to_V4.sql or cluster_V4_to_V5.sql.

-- Goes through all members: forgets those whose lease has ended, and computes the sums anew.
create function tidegate_count_members(p_name text, p_now bigint) returns tidegate_cap language plpgsql volatile as $$
declare
    counted tidegate_cap;
begin
    delete from tidegate_slice s where s.name = p_name and s.lease_until <= p_now;
    -- nothing is reserved for a member that takes single permits and has not asked for one recently
    update tidegate_slice s set need = s.held, lack = 0 where s.name = p_name and s.exact and s.need > s.held and p_now - s.asked_at > 1500;
    update tidegate_cap c set
        (members, held, lack, count_at) = (
            select count(*), coalesce(sum(s.held), 0), coalesce(sum(s.lack), 0), coalesce(
                    min(least(s.lease_until, case when s.exact and s.need > s.held then s.asked_at + 1501 end)), 9223372036854775807)
                from tidegate_slice s where s.name = p_name),
        (needs, needy) = (
            select coalesce(array_agg(n.need order by n.need), '{}'), coalesce(array_agg(n.members order by n.need), '{}') from (
                select s.need, count(*)::int as members from tidegate_slice s where s.name = p_name and (s.need > 0 or not s.exact) group by s.need) n)
        where c.name = p_name returning c.* into counted;
    return counted;
end
$$;

-- Serves members in turns when there are more members with a need than permits. A member whose turn lasts comes first,
-- then the members that wait, the longest first, then the others, the one whose turn ended last first.
--
-- A member that takes single permits claims at the moment it gives a permit back, and would find this permit free each
-- time, while the members before it claim at other times. So it leaves one permit to each member before it that has
-- waited for long. A permit for every member before it would leave too many idle.
create function tidegate_turn(
    p_name text, p_owner text, p_slice int, p_need int, p_exact boolean, p_turn_at bigint, p_cap int, p_now bigint,
    out part int, out wait_millis bigint, out for_others int
) language sql volatile as $$
    with others as (
        select s.turn_at, s.held, s.slice = 0 and s.turn_at <= p_now as waits,
            (
                case when s.turn_at > p_now then 2 when s.slice = 0 then 1 else 0 end,
                case when s.slice = 0 and s.turn_at <= p_now then -s.turn_at else s.turn_at end,
                s.owner collate "C"
            ) > (
                case when p_turn_at > p_now then 2 when p_slice = 0 then 1 else 0 end,
                case when p_slice = 0 and p_turn_at <= p_now then -p_turn_at else p_turn_at end,
                p_owner collate "C"
            ) as comes_first
        from tidegate_slice s where s.name = p_name and s.owner <> p_owner and s.need > 0
    )
    select (p_need > 0 and count(*) filter (where o.comes_first) < p_cap)::int,
        least(
            coalesce(min(o.turn_at) filter (where o.turn_at > p_now) - p_now, 0)
                + count(*) filter (where o.comes_first and o.waits) / p_cap * 50,
            1000),
        count(*) filter (where p_exact and p_turn_at = p_now and o.comes_first and o.waits and o.held = 0 and p_now - o.turn_at >= 500)::int
        from others o
$$;

-- Decides a claim. It reads sums, and reads all members only to count them anew or to serve them in turns. A
-- transaction that locks a cap also writes it: so the database refuses a transaction whose single snapshot is older
-- than another member's claim.
create function tidegate_divide(
    p_name text, p_owner text, p_number bigint, p_first_cap int, p_slice int, p_in_use int, p_need int, p_exact boolean, p_lease_millis bigint,
    out granted int, out goal int, out cap int, out wait_millis bigint
) language plpgsql volatile as $$
declare
    c tidegate_cap;
    before tidegate_slice;
    -- the cap's arrays, copied to variables so that they are changed in place
    all_needs int[];
    all_needy int[];
    now_millis bigint;
    kept int := 0;
    turn bigint;
    least_need int;
    needy int := 0;
    needed bigint := 0;
    rest bigint;
    room bigint;
    part int;
    spare int := 0;
    for_others int := 0;
    i int;
begin
    loop
        select * into c from tidegate_cap t where t.name = p_name for update;
        exit when found;
        insert into tidegate_cap (name, cap) values (p_name, p_first_cap) on conflict (name) do nothing;
    end loop;
    now_millis := tidegate_now();
    if c.count_at <= now_millis then
        c := tidegate_count_members(p_name, now_millis);
    end if;
    cap := c.cap;
    all_needs := c.needs;
    all_needy := c.needy;
    turn := now_millis;
    wait_millis := 0;
    select * into before from tidegate_slice s where s.name = p_name and s.owner = p_owner;
    if not found then
        c.members := c.members + 1;
    elsif before.number >= p_number then
        granted := before.slice;
        goal := before.slice;
        return;
    else
        c.held := c.held - before.held;
        c.lack := c.lack - before.lack;
        kept := least(p_slice, before.slice);
        if kept > 0 or before.turn_at > now_millis or (before.slice = 0 and before.need > 0) then
            turn := before.turn_at;
        end if;
        if before.need > 0 or not before.exact then
            i := width_bucket(before.need, all_needs);
            all_needy[i] := all_needy[i] - 1;
        end if;
    end if;
    if p_need > 0 or not p_exact then
        i := width_bucket(p_need, all_needs);
        if i > 0 and all_needs[i] = p_need then
            all_needy[i] := all_needy[i] + 1;
        else
            all_needs := all_needs[:i] || p_need || all_needs[i + 1:];
            all_needy := all_needy[:i] || 1 || all_needy[i + 1:];
        end if;
    end if;

    -- while there are at least as many permits as members, each member that takes slices keeps one
    least_need := (c.members <= cap)::int;
    for i in 1 .. cardinality(all_needs) loop
        if all_needs[i] > 0 or least_need > 0 then
            needy := needy + all_needy[i];
            needed := needed + greatest(all_needs[i], least_need)::bigint * all_needy[i];
        end if;
    end loop;
    room := greatest(0, cap - c.held);
    part := case when p_exact then p_need else greatest(p_need, least_need) end;
    if needy > cap then
        select t.part, t.wait_millis, t.for_others into part, wait_millis, for_others
            from tidegate_turn(p_name, p_owner, kept, p_need, p_exact, turn, cap, now_millis) t;
    elsif needed <= cap then
        -- permits that nobody needs are shared among the members that take slices; some stay for the next member that
        -- asks
        if not p_exact then
            spare := (cap - needed + 2 * c.members - 2) / (2 * c.members - 1);
        end if;
    else
        -- small needs are met in full; all other members get the same part, and the first ones to ask get one of the
        -- remaining permits each
        rest := cap;
        i := 1;
        loop
            if all_needs[i] > 0 or least_need > 0 then
                exit when rest / needy < all_needs[i];
                rest := rest - greatest(all_needs[i], least_need)::bigint * all_needy[i];
                needy := needy - all_needy[i];
            end if;
            i := i + 1;
        end loop;
        if part > rest / needy then
            part := rest / needy;
            spare := (rest % needy > 0)::int;
        end if;
    end if;
    -- a member that has its part gets nothing that others lack
    goal := greatest(part, least(part + spare, room - c.lack));
    granted := greatest(kept, least(goal, room - for_others));
    if not p_exact or granted >= p_need then
        wait_millis := 0;
    elsif needy > cap and granted > 0 then
        -- a member that has its part claims anyway when it gives that back
        wait_millis := 1000;
    end if;
    if p_exact then
        goal := p_need;
    end if;
    -- a member that gives back and takes again within its turn does not prolong the turn
    if kept = 0 and turn <= now_millis and granted > 0 then
        turn := now_millis + case when p_exact then 50 else p_lease_millis / 4 end;
    end if;
    insert into tidegate_slice as s (name, owner, number, slice, held, need, lack, exact, turn_at, asked_at, lease_until)
        values (p_name, p_owner, p_number, granted, greatest(granted, p_in_use), p_need, greatest(0, part - greatest(granted, p_in_use)),
            p_exact, turn, now_millis, now_millis + p_lease_millis)
        on conflict (name, owner) do update set number = excluded.number, slice = excluded.slice, held = excluded.held,
            need = excluded.need, lack = excluded.lack, exact = excluded.exact, turn_at = excluded.turn_at, asked_at = excluded.asked_at,
            lease_until = excluded.lease_until
        returning s.* into before;
    update tidegate_cap t set members = c.members, held = c.held + before.held, lack = c.lack + before.lack,
        needs = all_needs, needy = all_needy,
        count_at = least(c.count_at, before.lease_until, case when p_exact and p_need > before.held then now_millis + 1501 end)
        where t.name = p_name;
end
$$;

-- A claim. Its lock ends with the first commit, which does not wait for the disk. The second commit waits for the disk
-- on behalf of both, and many claims can wait there at once. So the answer and everything before it are on the disk
-- when the caller gets it.
create procedure tidegate_claim(
    p_name text, p_owner text, p_number bigint, p_first_cap int, p_slice int, p_in_use int, p_need int, p_exact boolean, p_lease_millis bigint,
    inout granted int, inout goal int, inout cap int, inout wait_millis bigint
) language plpgsql as $$
begin
    perform set_config('synchronous_commit', 'off', true);
    select * into granted, goal, cap, wait_millis
        from tidegate_divide(p_name, p_owner, p_number, p_first_cap, p_slice, p_in_use, p_need, p_exact, p_lease_millis);
    commit;
    perform tidegate_durable();
    -- locking a row that nobody else wants is the cheapest way to make a commit wait for the disk
    perform from tidegate_slice s where s.name = p_name and s.owner = p_owner for update;
end
$$;

-- The claim of members of version 3.
create function tidegate_claim_slice(
    p_name text, p_owner text, p_number bigint, p_first_cap int, p_slice int, p_in_use int, p_need int, p_exact boolean, p_lease_millis bigint
) returns table (granted int, goal int, cap int, wait_millis bigint) language plpgsql volatile as $$
begin
    perform tidegate_durable();
    return query select d.granted, d.goal, d.cap, d.wait_millis
        from tidegate_divide(p_name, p_owner, p_number, p_first_cap, p_slice, p_in_use, p_need, p_exact, p_lease_millis) d;
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
    update tidegate_cap c set count_at = 0 where c.name = p_name;
    delete from tidegate_slice s where s.name = p_name and s.owner = p_owner;
end
$$;

-- Deletes only a cap on which no member has a lease: otherwise its members would no longer know of each other.
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

insert into tidegate_schema (component, version) values ('cluster', 5);
