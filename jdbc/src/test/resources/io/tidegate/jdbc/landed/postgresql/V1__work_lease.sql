-- Tidegate work lease for PostgreSQL, version 1.
-- Run it once, in the schema that the application's connections have first in their search_path, as one transaction.

create table tidegate_schema (
    version int not null primary key,
    applied_at timestamptz not null default clock_timestamp()
);

-- The numbers that a resource compares. Deleting a domain does not reset them. No cache: a number that is drawn later is greater.
create sequence tidegate_fence as bigint cache 1 no cycle;

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of the domain updates it.
create table tidegate_domain (
    id bigint not null generated always as identity primary key,
    -- compared by its bytes: whatever the database sorts by, two names are two, and the index outlives new versions of it
    name text collate "C" not null unique,
    -- the lease: all null, or none
    lease_offset bigint,
    secret text,
    fence bigint,
    -- made of both, so that an update need not know the fence that it draws
    token text generated always as (fence::text || '.' || secret) stored,
    owner text,
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- what retry_count was when this token was given
    retries_before int,
    -- how many rows of tidegate_backlog it has
    waiting bigint not null default 0,
    -- the place of the last head that was taken: the search for the next one begins after it, and not among rows that are deleted but not yet vacuumed
    taken_place bigint not null default 0,
    -- all offsets up to here are processed, unless they are open or failed
    forgotten bigint,
    -- the run of processed offsets that grew last; others are in tidegate_processed
    run_first bigint,
    run_last bigint,
    processed_count bigint not null default 0,
    -- the greatest offset that ever ended: beyond it, and beyond what is forgotten, nothing is processed or failed
    highest bigint,
    -- the last finish that ended a lease, so that it can be answered again
    last_token text,
    last_code text,
    last_number bigint,
    changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

create table tidegate_backlog (
    domain_id bigint not null,
    work_offset bigint not null,
    place bigint not null generated always as identity,
    primary key (domain_id, work_offset),
    unique (domain_id, place)
);

-- Runs of processed offsets, both ends included.
create table tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    primary key (domain_id, first_offset)
);

create table tidegate_failed (
    domain_id bigint not null,
    work_offset bigint not null,
    retry_count int not null,
    failed_at timestamptz not null default clock_timestamp(),
    primary key (domain_id, work_offset)
);

create index tidegate_failed_at on tidegate_failed (failed_at);

-- The functions lock the domain's row by a statement of its own. In READ COMMITTED what follows sees all that was committed before the lock was
-- had; in REPEATABLE READ and SERIALIZABLE the lock fails with 40001 when the snapshot is older than the last change. So nothing stale is read.

create function tidegate_now() returns bigint language sql volatile as $$
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- Acknowledged means durable, whatever the server's default is.
create function tidegate_durable() returns void language plpgsql volatile as $$
begin
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;
end
$$;

create function tidegate_locked(p_name text) returns tidegate_domain language plpgsql volatile as $$
declare
    d tidegate_domain;
begin
    perform tidegate_durable();
    select * into d from tidegate_domain where name = p_name for update;
    return d;
end
$$;

create function tidegate_locked_or_new(p_name text) returns tidegate_domain language plpgsql volatile as $$
declare
    d tidegate_domain;
begin
    loop
        d := tidegate_locked(p_name);
        exit when d.id is not null;
        insert into tidegate_domain (name) values (p_name) on conflict (name) do nothing;
    end loop;
    return d;
end
$$;

create function tidegate_is_processed(d tidegate_domain, p_offset bigint) returns boolean language plpgsql stable as $$
begin
    if p_offset <= d.forgotten or p_offset between d.run_first and d.run_last then
        return true;
    end if;
    return coalesce(
        (select last_offset >= p_offset from tidegate_processed
            where domain_id = d.id and first_offset <= p_offset order by first_offset desc limit 1),
        false);
end
$$;

create function tidegate_head(d tidegate_domain) returns bigint language plpgsql stable as $$
begin
    if d.waiting = 0 then
        return null;
    end if;
    return (select work_offset from tidegate_backlog where domain_id = d.id and place > d.taken_place order by place limit 1);
end
$$;

-- The changes. They get the row as it was read, changed where they do not change it themselves.

-- p_acquired_at is null when the offset is acquired for the first time.
create function tidegate_grant(
    d tidegate_domain, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_acquired_at bigint, p_retries int)
returns tidegate_domain language plpgsql volatile as $$
declare
    at bigint := tidegate_now();
begin
    update tidegate_domain set
        lease_offset = p_offset, secret = p_secret, fence = nextval('tidegate_fence'), owner = p_owner, acquired_at = coalesce(p_acquired_at, at),
        lease_until = at + p_millis, retry_count = p_retries, retries_before = p_retries, waiting = d.waiting,
        taken_place = d.taken_place, changed_at = clock_timestamp()
    where id = d.id
    returning token, fence into d.token, d.fence;
    return d;
end
$$;

create function tidegate_free(d tidegate_domain, p_code text, p_number bigint) returns void language plpgsql volatile as $$
begin
    update tidegate_domain set
        lease_offset = null, secret = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, run_first = d.run_first, run_last = d.run_last, processed_count = d.processed_count,
        highest = greatest(highest, d.lease_offset), last_token = d.token, last_code = p_code, last_number = p_number, changed_at = clock_timestamp()
    where id = d.id;
end
$$;

create function tidegate_add_failed(d tidegate_domain) returns void language sql volatile as $$
    insert into tidegate_failed (domain_id, work_offset, retry_count) values (d.id, d.lease_offset, d.retry_count)
$$;

create function tidegate_add_processed(d tidegate_domain) returns tidegate_domain language plpgsql volatile as $$
begin
    d.processed_count := d.processed_count + 1;
    if d.lease_offset <= d.forgotten then
        return d;
    end if;
    if d.run_last::numeric + 1 = d.lease_offset then
        d.run_last := d.lease_offset;
    elsif d.run_first::numeric - 1 = d.lease_offset then
        d.run_first := d.lease_offset;
    else
        if d.run_first is not null then
            insert into tidegate_processed (domain_id, first_offset, last_offset) values (d.id, d.run_first, d.run_last);
        end if;
        d.run_first := d.lease_offset;
        d.run_last := d.lease_offset;
    end if;
    return d;
end
$$;

-- The operations. An answer has a code and what belongs to it; refusals are answers too, so the caller's transaction goes on.

create type tidegate_answer as (code text, token text, fence bigint, owner text, number bigint);

-- What can be answered without changing anything; null if something has to change. The row is not locked: a stable function sees one state of the
-- database, in all that it reads, and that is the one the answer is about.
create function tidegate_look(p_name text, p_offset bigint, p_owner text) returns tidegate_answer language plpgsql stable as $$
declare
    d tidegate_domain;
    queued boolean;
    head bigint;
begin
    select * into d from tidegate_domain where name = p_name;
    if exists (select from tidegate_failed where domain_id = d.id and work_offset = p_offset) then
        return row('ALREADY_FAILED', null, null, null, null)::tidegate_answer;
    end if;
    if d.lease_offset = p_offset then
        if d.owner = p_owner then
            return row('ALREADY_ACQUIRED', d.token, d.fence, null, null)::tidegate_answer;
        end if;
        if d.lease_until > tidegate_now() then
            return row('HELD_ELSEWHERE', null, null, d.owner, d.lease_until)::tidegate_answer;
        end if;
        return null;
    end if;
    queued := d.waiting > 0 and exists (select from tidegate_backlog where domain_id = d.id and work_offset = p_offset);
    if not queued and tidegate_is_processed(d, p_offset) then
        return row('ALREADY_PROCESSED', null, null, null, null)::tidegate_answer;
    end if;
    if d.token is not null then
        return case when queued then row('ENQUEUED', null, null, null, null)::tidegate_answer end;
    end if;
    head := tidegate_head(d);
    return case when head <> p_offset then row('OUT_OF_ORDER', null, null, null, head)::tidegate_answer end;
end
$$;

create function tidegate_try_acquire_with_care(
    p_name text, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_max_retries int)
returns tidegate_answer language plpgsql volatile as $$
declare
    answer tidegate_answer := tidegate_look(p_name, p_offset, p_owner);
    d tidegate_domain;
begin
    if answer.code is not null then
        return answer;
    end if;
    d := tidegate_locked_or_new(p_name);
    answer := tidegate_look(p_name, p_offset, p_owner);
    if answer.code is not null then
        return answer;
    end if;
    if d.lease_offset = p_offset then -- and its time is over
        if d.retry_count >= p_max_retries then
            perform tidegate_add_failed(d);
            d.token := d.last_token; -- nobody has finished it, so the last finish stays what it was
            perform tidegate_free(d, d.last_code, d.last_number);
            return row('ALREADY_FAILED', null, null, null, null)::tidegate_answer;
        end if;
        d := tidegate_grant(d, p_offset, p_owner, p_secret, p_millis, d.acquired_at, d.retry_count + 1);
        return row('ACQUIRED', d.token, d.fence, null, null)::tidegate_answer;
    end if;
    if d.token is not null then
        insert into tidegate_backlog (domain_id, work_offset) values (d.id, p_offset);
        update tidegate_domain set waiting = waiting + 1, changed_at = clock_timestamp() where id = d.id;
        return row('ENQUEUED', null, null, null, null)::tidegate_answer;
    end if;
    if d.waiting > 0 then -- and it is the head
        delete from tidegate_backlog where domain_id = d.id and work_offset = p_offset returning place into d.taken_place;
        d.waiting := d.waiting - 1;
    end if;
    d := tidegate_grant(d, p_offset, p_owner, p_secret, p_millis, null, 0);
    return row('ACQUIRED', d.token, d.fence, null, null)::tidegate_answer;
end
$$;

-- Most are new offsets of a domain in which nobody works or waits, which the row alone can tell. One statement asks and changes it: if it has to wait for
-- the row, it asks again of the row as it is then, and draws a new fence.
create function tidegate_try_acquire(
    p_name text, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_max_retries int)
returns tidegate_answer language plpgsql volatile as $$
declare
    given tidegate_answer;
begin
    if current_setting('synchronous_commit') = 'off' then
        perform tidegate_durable();
    end if;
    update tidegate_domain set
        lease_offset = p_offset, secret = p_secret, fence = nextval('tidegate_fence'), owner = p_owner, acquired_at = tidegate_now(),
        lease_until = tidegate_now() + p_millis, retry_count = 0, retries_before = 0, changed_at = clock_timestamp()
    where name = p_name and token is null and waiting = 0
        and (highest is null or p_offset > highest) and (forgotten is null or p_offset > forgotten)
    returning 'ACQUIRED', token, fence into given.code, given.token, given.fence;
    if found then
        return given;
    end if;
    return tidegate_try_acquire_with_care(p_name, p_offset, p_owner, p_secret, p_millis, p_max_retries);
end
$$;

create function tidegate_succeed_with_care(p_name text, p_token text) returns tidegate_answer language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked(p_name);
    head bigint;
    code text;
begin
    if d.token = p_token then
        head := tidegate_head(d);
        code := case when head is null then 'NO_BACKLOG' else 'NEXT_HINT' end;
        perform tidegate_free(tidegate_add_processed(d), code, head);
        return row(code, null, null, null, head)::tidegate_answer;
    end if;
    if d.last_token = p_token and d.last_code in ('NO_BACKLOG', 'NEXT_HINT') then
        return row(d.last_code, null, null, null, d.last_number)::tidegate_answer;
    end if;
    return row(case when d.token is null then 'LEASE_NOT_FOUND' else 'TOKEN_MISMATCH' end, null, null, null, null)::tidegate_answer;
end
$$;

-- Most continue the run of processed offsets, and nobody waits.
create function tidegate_succeed(p_name text, p_token text) returns tidegate_answer language plpgsql volatile as $$
begin
    if current_setting('synchronous_commit') = 'off' then
        perform tidegate_durable();
    end if;
    update tidegate_domain set
        lease_offset = null, secret = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, run_last = lease_offset, processed_count = processed_count + 1, highest = greatest(highest, lease_offset),
        last_token = token, last_code = 'NO_BACKLOG', last_number = null, changed_at = clock_timestamp()
    where name = p_name and token = p_token and waiting = 0
        and case when run_last < lease_offset then lease_offset - 1 = run_last end and (forgotten is null or lease_offset > forgotten);
    if found then
        return row('NO_BACKLOG', null, null, null, null)::tidegate_answer;
    end if;
    return tidegate_succeed_with_care(p_name, p_token);
end
$$;

-- p_failure is which failure with this token it is, from 1, or null for the next one.
create function tidegate_fail(p_name text, p_token text, p_failure int, p_millis bigint, p_max_retries int)
returns tidegate_answer language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked(p_name);
    told int := d.retry_count - d.retries_before;
    head bigint;
    code text;
begin
    if d.token = p_token then
        if p_failure <= told then
            return row('RETRY_SCHEDULED', null, null, null, d.retries_before + p_failure)::tidegate_answer;
        end if;
        if p_failure > told + 1 then
            return row('FAILURE_SKIPPED', null, null, null, told + 1)::tidegate_answer;
        end if;
        if d.retry_count < p_max_retries then
            update tidegate_domain set
                retry_count = d.retry_count + 1, lease_until = tidegate_now() + p_millis, changed_at = clock_timestamp()
            where id = d.id;
            return row('RETRY_SCHEDULED', null, null, null, d.retry_count + 1)::tidegate_answer;
        end if;
        head := tidegate_head(d);
        code := case when head is null then 'GIVE_UP_NO_BACKLOG' else 'GIVE_UP_NEXT_HINT' end;
        perform tidegate_add_failed(d);
        perform tidegate_free(d, code, head);
        return row(code, null, null, null, head)::tidegate_answer;
    end if;
    if d.last_token = p_token and d.last_code in ('GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') then
        return row(d.last_code, null, null, null, d.last_number)::tidegate_answer;
    end if;
    return row(case when d.token is null then 'LEASE_NOT_FOUND' else 'TOKEN_MISMATCH' end, null, null, null, null)::tidegate_answer;
end
$$;

create function tidegate_renew(p_name text, p_token text, p_millis bigint)
returns tidegate_answer language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked(p_name);
    until bigint := tidegate_now() + p_millis;
begin
    if d.token = p_token then
        update tidegate_domain set lease_until = until, changed_at = clock_timestamp() where id = d.id;
        return row('RENEWED', null, null, null, until)::tidegate_answer;
    end if;
    return row(case when d.token is null then 'LEASE_NOT_FOUND' else 'TOKEN_MISMATCH' end, null, null, null, null)::tidegate_answer;
end
$$;

create function tidegate_forget(p_name text, p_offset bigint) returns void language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked_or_new(p_name);
begin
    if d.forgotten >= p_offset then
        return;
    end if;
    delete from tidegate_processed where domain_id = d.id and last_offset <= p_offset;
    update tidegate_domain set
        forgotten = p_offset,
        run_first = case when run_last > p_offset then run_first end,
        run_last = case when run_last > p_offset then run_last end,
        changed_at = clock_timestamp()
    where id = d.id;
end
$$;

create function tidegate_replay(p_name text, p_offset bigint) returns boolean language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked(p_name);
begin
    delete from tidegate_failed where domain_id = d.id and work_offset = p_offset;
    if not found then
        return false;
    end if;
    insert into tidegate_backlog (domain_id, work_offset) values (d.id, p_offset);
    update tidegate_domain set waiting = waiting + 1, changed_at = clock_timestamp() where id = d.id;
    return true;
end
$$;

-- Batches: one transaction, the domains locked in one order whoever asks, the answers by their place in what was asked.

create function tidegate_try_acquire_all(
    p_names text[], p_offsets bigint[], p_owner text, p_secrets text[], p_millis bigint, p_max_retries int)
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile as $$
declare
    asked record;
begin
    for asked in
        select * from unnest(p_names, p_offsets, p_secrets) with ordinality as a (name, work_offset, secret, place)
        order by a.name collate "C", a.place
    loop
        return query select asked.place, t.* from
            tidegate_try_acquire(asked.name, asked.work_offset, p_owner, asked.secret, p_millis, p_max_retries) t;
    end loop;
end
$$;

create function tidegate_succeed_all(p_names text[], p_tokens text[])
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile as $$
declare
    asked record;
begin
    for asked in
        select * from unnest(p_names, p_tokens) with ordinality as a (name, token, place)
        order by a.name collate "C", a.place
    loop
        return query select asked.place, t.* from tidegate_succeed(asked.name, asked.token) t;
    end loop;
end
$$;

-- Looking after the tables. Locks first, here too. What is locked by others is left for the next time.

create function tidegate_delete_idle(p_millis bigint, p_most int) returns bigint language plpgsql volatile as $$
declare
    idle bigint[];
    deleted bigint[];
begin
    perform tidegate_durable();
    select array_agg(id) into idle from (
        select id from tidegate_domain d
        where token is null and waiting = 0 and changed_at <= clock_timestamp() - p_millis * interval '1 millisecond'
            and not exists (select from tidegate_failed f where f.domain_id = d.id)
        limit p_most
        for update skip locked) as idle_rows;
    -- some may have failed before the lock was had
    with gone as (
        delete from tidegate_domain d
        where id = any (idle) and not exists (select from tidegate_failed f where f.domain_id = d.id)
        returning id
    )
    select array_agg(id) into deleted from gone;
    delete from tidegate_processed where domain_id = any (deleted);
    return coalesce(cardinality(deleted), 0);
end
$$;

-- An offset whose failure is forgotten counts as processed, and joins the runs beside it.
create function tidegate_forget_failure(d tidegate_domain, p_offset bigint) returns void language plpgsql volatile as $$
declare
    run tidegate_processed;
    first bigint := p_offset;
    last bigint := p_offset;
begin
    if d.forgotten is null or p_offset > d.forgotten then
        select * into run from tidegate_processed
        where domain_id = d.id and first_offset < p_offset order by first_offset desc limit 1;
        if run.last_offset::numeric + 1 = p_offset then
            first := run.first_offset;
        end if;
        select * into run from tidegate_processed
        where domain_id = d.id and first_offset > p_offset order by first_offset limit 1;
        if run.first_offset::numeric - 1 = p_offset then
            last := run.last_offset;
        end if;
        delete from tidegate_processed where domain_id = d.id and first_offset between first and last;
        if d.run_last::numeric + 1 = first then
            d.run_last := last;
        elsif d.run_first::numeric - 1 = last then
            d.run_first := first;
        else
            insert into tidegate_processed (domain_id, first_offset, last_offset) values (d.id, first, last);
        end if;
    end if;
    update tidegate_domain set run_first = d.run_first, run_last = d.run_last, changed_at = clock_timestamp() where id = d.id;
end
$$;

create function tidegate_delete_failed(p_millis bigint, p_most int) returns bigint language plpgsql volatile as $$
declare
    until timestamptz := clock_timestamp() - p_millis * interval '1 millisecond';
    ids bigint[];
    offsets bigint[];
    old record;
    d tidegate_domain;
    deleted bigint := 0;
begin
    perform tidegate_durable();
    select array_agg(domain_id), array_agg(work_offset) into ids, offsets from (
        select f.domain_id, f.work_offset from tidegate_failed f join tidegate_domain o on o.id = f.domain_id
        where f.failed_at <= until order by f.failed_at limit p_most
        for update of o skip locked) as old_rows;
    for old in select * from unnest(ids, offsets) as u (domain_id, work_offset) loop
        -- it may have been replayed before the lock was had
        delete from tidegate_failed where domain_id = old.domain_id and work_offset = old.work_offset and failed_at <= until;
        if found then
            select * into d from tidegate_domain where id = old.domain_id;
            perform tidegate_forget_failure(d, old.work_offset);
            deleted := deleted + 1;
        end if;
    end loop;
    return deleted;
end
$$;

insert into tidegate_schema (version) values (1);
