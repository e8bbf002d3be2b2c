-- Tidegate work lease for PostgreSQL, version 3: the rules. Run it after lease_V3.sql, or after the script that brings
-- an earlier version to 3, in the same transaction.

-- The functions lock the domain's row by a separate statement. In READ COMMITTED the following statements see
-- everything that was committed before the lock was granted. In REPEATABLE READ and SERIALIZABLE the lock fails with
-- 40001 when the snapshot is older than the last change. So nothing stale is read.

-- While some transaction has an old snapshot, all versions of a row since then stay, and the index points to all of
-- their pages, the newest last. So a row is searched from the end of the index, by a range of one name in falling
-- order, since the planner would not choose this for a plain equality. The row is then changed where it was found. The
-- search must not scan the whole table, which may have been small when the statement was planned.

create or replace function tidegate_now() returns bigint language sql volatile as $$
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint
$$;

-- An acknowledged change is durable, whatever the server's default is.
create or replace function tidegate_durable() returns void language plpgsql volatile as $$
begin
    if current_setting('synchronous_commit') = 'off' then
        perform set_config('synchronous_commit', 'on', true);
    end if;
end
$$;

-- Begins an operation: makes it durable, and limits the wait for each lock, in milliseconds. Without a limit the
-- operation is in the caller's transaction, which has its own.
create function tidegate_begin(p_wait text) returns text language sql volatile as $$
    select concat(
        case when current_setting('synchronous_commit') = 'off' then set_config('synchronous_commit', 'on', true) end,
        case when p_wait is not null then set_config('lock_timeout', p_wait, true) end)
$$;

create function tidegate_locked(p_lease text, p_name text) returns tidegate_domain language plpgsql volatile as $$
declare
    d tidegate_domain;
begin
    select * into d from tidegate_domain
    where lease = p_lease and name >= p_name and name <= p_name order by name desc limit 1 for update;
    return d;
end
$$;

create function tidegate_locked_or_new(p_lease text, p_name text) returns tidegate_domain language plpgsql volatile as $$
declare
    d tidegate_domain;
begin
    loop
        d := tidegate_locked(p_lease, p_name);
        exit when d.id is not null;
        insert into tidegate_domain (lease, name) values (p_lease, p_name) on conflict (lease, name) do nothing;
    end loop;
    return d;
end
$$;

-- Processed offsets. A row of tidegate_processed has a run without gaps from tail_offset to last_offset, and in the
-- column packed the runs before it, from first_offset on. Each packed run is one or two numbers. The first is the
-- distance from its end to the next run, less 2, doubled, plus 1 if the run is longer than one offset. The second, for
-- a longer run only, is the number of its further offsets, less 1. A number is stored in 7 bits of each byte, the
-- lowest first, and all its bytes but the last have 128 added. So a run can be added behind the last one, or before the
-- first, without reading the others. A row spans less than 2^60, so that no number becomes too great.

create function tidegate_number(p_number bigint) returns bytea language plpgsql immutable as $$
declare
    rest bigint := p_number;
    bytes bytea := '';
begin
    while rest > 127 loop
        bytes := bytes || set_byte('\x00', 0, ((rest & 127) | 128)::int);
        rest := rest >> 7;
    end loop;
    return bytes || set_byte('\x00', 0, rest::int);
end
$$;

create function tidegate_packed(p_first bigint, p_last bigint, p_next bigint) returns bytea language plpgsql immutable as $$
begin
    if p_first = p_last then
        return tidegate_number((p_next - p_last - 2) * 2);
    end if;
    return tidegate_number((p_next - p_last - 2) * 2 + 1) || tidegate_number(p_last - p_first - 1);
end
$$;

-- A packed run: the index of its first byte, the index after its last byte, its two ends, and the beginning of the next
-- run.
create type tidegate_run as (begins int, ends int, first bigint, last bigint, next bigint);

-- Finds the last run that begins before the offset, or the first run that ends after so many bytes. The search starts
-- at the run at p_begins, which begins at p_first.
create function tidegate_walk(p_packed bytea, p_begins int, p_first bigint, p_offset bigint, p_enough int)
returns tidegate_run language plpgsql immutable as $$
declare
    begins int;
    ends int := p_begins;
    first bigint;
    last bigint;
    next bigint := p_first;
    byte int;
    shift int;
    distance bigint;
    longer bigint;
begin
    loop
        begins := ends;
        first := next;
        last := next;
        distance := 0;
        shift := 0;
        loop
            byte := get_byte(p_packed, ends);
            ends := ends + 1;
            distance := distance | ((byte & 127)::bigint << shift);
            exit when byte < 128;
            shift := shift + 7;
        end loop;
        if distance & 1 = 1 then
            longer := 0;
            shift := 0;
            loop
                byte := get_byte(p_packed, ends);
                ends := ends + 1;
                longer := longer | ((byte & 127)::bigint << shift);
                exit when byte < 128;
                shift := shift + 7;
            end loop;
            last := first + longer + 1;
        end if;
        next := last + (distance >> 1) + 2;
        exit when next > p_offset or ends >= p_enough;
    end loop;
    return row(begins, ends, first, last, next)::tidegate_run;
end
$$;

create function tidegate_is_processed(d tidegate_domain, p_offset bigint) returns boolean language plpgsql stable as $$
declare
    r tidegate_processed;
begin
    if p_offset <= d.forgotten or p_offset between d.run_first and d.run_last then
        return true;
    end if;
    select * into r from tidegate_processed
    where domain_id = d.id and first_offset <= p_offset order by first_offset desc limit 1;
    if r.domain_id is null or p_offset > r.last_offset then
        return false;
    end if;
    return p_offset >= r.tail_offset
        or (tidegate_walk(r.packed, 0, r.first_offset, p_offset, octet_length(r.packed))).last >= p_offset;
end
$$;

create function tidegate_head(d tidegate_domain) returns bigint language plpgsql stable as $$
begin
    if d.lease_offset is not null and d.secret is null then -- released
        return d.lease_offset;
    end if;
    if d.waiting = 0 then
        return null;
    end if;
    return (select work_offset from tidegate_backlog where domain_id = d.id and place > d.taken_place order by place limit 1);
end
$$;

-- An answer has a code and the values that belong to it. A refusal is an answer, too, so the caller's transaction goes
-- on.
create type tidegate_answer as (code text, token text, fence bigint, owner text, number bigint);

create function tidegate_refusal(d tidegate_domain) returns tidegate_answer language plpgsql immutable as $$
begin
    return row(case when d.secret is null then 'LEASE_NOT_FOUND' else 'TOKEN_MISMATCH' end, null, null, null, null)::tidegate_answer;
end
$$;

-- ---- changes of a domain. The functions get the row as it was read, with changes that they do not make themselves
-- ----

-- p_acquired_at is null when the offset is acquired for the first time.
create function tidegate_grant(
    d tidegate_domain, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_acquired_at bigint, p_retries int)
returns tidegate_answer language plpgsql volatile as $$
declare
    at bigint := tidegate_now();
    given tidegate_answer;
begin
    update tidegate_domain set
        lease_offset = p_offset, secret = p_secret, fence = nextval('tidegate_fence'), owner = p_owner, acquired_at = coalesce(p_acquired_at, at),
        lease_until = at + p_millis, retry_count = p_retries, retries_before = p_retries, waiting = d.waiting,
        taken_place = d.taken_place, look_at = least(look_at, at + p_millis)
    where ctid = (select ctid from tidegate_domain where id >= d.id and id <= d.id order by id desc limit 1)
    returning 'ACQUIRED', fence || '.' || secret, fence, null, p_retries into given;
    return given;
end
$$;

create function tidegate_free(d tidegate_domain, p_token text, p_code text, p_number bigint) returns void language plpgsql volatile as $$
begin
    update tidegate_domain set
        lease_offset = null, secret = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, run_first = d.run_first, run_last = d.run_last, processed_count = d.processed_count,
        highest = greatest(highest, d.lease_offset), last_token = p_token, last_code = p_code, last_number = p_number,
        look_at = case when waiting > 0 then least(look_at, tidegate_now()) else look_at end, changed_at = clock_timestamp()
    where ctid = (select ctid from tidegate_domain where id >= d.id and id <= d.id order by id desc limit 1);
end
$$;

create function tidegate_add_failed(d tidegate_domain, p_reason text) returns void language sql volatile as $$
    insert into tidegate_failed (domain_id, work_offset, retry_count, reason) values (d.id, d.lease_offset, d.retry_count, p_reason)
$$;

-- Whether a run fits into the row at one of its ends.
create function tidegate_has_room(r tidegate_processed, p_first bigint, p_last bigint) returns boolean language sql immutable as $$
    select octet_length(r.packed) < 256
        and greatest(r.last_offset, p_last)::numeric - least(r.first_offset, p_first) < 1152921504606846976
$$;

-- The row with a run added behind its last one.
create function tidegate_appended(r tidegate_processed, p_first bigint, p_last bigint)
returns tidegate_processed language plpgsql immutable as $$
begin
    if r.last_offset + 1 < p_first then
        r.packed := r.packed || tidegate_packed(r.tail_offset, r.last_offset, p_first);
        r.tail_offset := p_first;
    end if;
    r.last_offset := p_last;
    return r;
end
$$;

-- The row with a run added before its first one, or between two, joined with the runs that it touches.
create function tidegate_inserted(r tidegate_processed, p_first bigint, p_last bigint)
returns tidegate_processed language plpgsql immutable as $$
declare
    before tidegate_run := row(0, 0, null, null, r.first_offset);
    after tidegate_run;
    bytes bytea;
    first bigint := p_first;
begin
    if p_first > r.first_offset then
        before := tidegate_walk(r.packed, 0, r.first_offset, p_first, octet_length(r.packed));
    end if;
    r.first_offset := least(r.first_offset, p_first);
    bytes := substring(r.packed from 1 for before.begins);
    if before.last + 1 = p_first then
        first := before.first;
    elsif before.first is not null then
        bytes := bytes || tidegate_packed(before.first, before.last, p_first);
    end if;
    if p_last + 1 < before.next then
        r.packed := bytes || tidegate_packed(first, p_last, before.next) || substring(r.packed from before.ends + 1);
    elsif before.next < r.tail_offset then
        after := tidegate_walk(r.packed, before.ends, before.next, before.next, 0);
        r.packed := bytes || tidegate_packed(first, after.last, after.next) || substring(r.packed from after.ends + 1);
    else
        r.packed := bytes;
        r.tail_offset := first;
    end if;
    return r;
end
$$;

-- The run goes into the row before it, since most runs continue the end of that row. If that row has no room, the run
-- goes to the front of the next row, or becomes a new row. A row that has become too long is split in two.
create function tidegate_add_run(p_domain_id bigint, p_first bigint, p_last bigint) returns void language plpgsql volatile as $$
declare
    r tidegate_processed;
    key bigint;
    half tidegate_run;
begin
    select * into r from tidegate_processed
    where domain_id = p_domain_id and first_offset < p_first order by first_offset desc limit 1;
    key := r.first_offset;
    if p_first < r.last_offset then
        r := tidegate_inserted(r, p_first, p_last);
    elsif tidegate_has_room(r, p_first, p_last) then
        r := tidegate_appended(r, p_first, p_last);
    else
        select * into r from tidegate_processed
        where domain_id = p_domain_id and first_offset > p_first order by first_offset limit 1;
        key := r.first_offset;
        if not found or not tidegate_has_room(r, p_first, p_last) then
            insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)
            values (p_domain_id, p_first, p_last, p_first, '');
            return;
        end if;
        r := tidegate_inserted(r, p_first, p_last);
    end if;
    if octet_length(r.packed) > 300 then
        half := tidegate_walk(r.packed, 0, r.first_offset, r.last_offset, 128);
        insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)
        values (p_domain_id, half.next, r.last_offset, r.tail_offset, substring(r.packed from half.ends + 1));
        r.last_offset := half.last;
        r.tail_offset := half.first;
        r.packed := substring(r.packed from 1 for half.begins);
    end if;
    update tidegate_processed set
        first_offset = r.first_offset, last_offset = r.last_offset, tail_offset = r.tail_offset, packed = r.packed
    where domain_id = p_domain_id and first_offset = key;
end
$$;

create function tidegate_add_processed(d tidegate_domain, p_offset bigint) returns tidegate_domain language plpgsql volatile as $$
begin
    if p_offset <= d.forgotten then
        return d;
    end if;
    if d.run_last::numeric + 1 = p_offset then
        d.run_last := p_offset;
    elsif d.run_first::numeric - 1 = p_offset then
        d.run_first := p_offset;
    else
        if d.run_first is not null then
            perform tidegate_add_run(d.id, d.run_first, d.run_last);
        end if;
        d.run_first := p_offset;
        d.run_last := p_offset;
    end if;
    return d;
end
$$;

-- ---- operations ----

-- Returns the answer if it needs no change, else null. The row is not locked: a stable function sees one state of the
-- database in everything that it reads, and the answer is about this state.
create function tidegate_look(p_lease text, p_name text, p_offset bigint, p_owner text)
returns tidegate_answer language plpgsql stable as $$
declare
    d tidegate_domain;
    known boolean;
    queued boolean;
    head bigint;
begin
    select * into d from tidegate_domain
    where lease = p_lease and name >= p_name and name <= p_name order by name desc limit 1;
    known := p_offset <= d.highest or p_offset <= d.forgotten;
    if known and exists (select from tidegate_failed where domain_id = d.id and work_offset = p_offset) then
        return row('ALREADY_FAILED', null, null, null, null)::tidegate_answer;
    end if;
    if d.lease_offset = p_offset then
        if d.owner = p_owner then
            return row('ALREADY_ACQUIRED', d.fence || '.' || d.secret, d.fence, null, d.retry_count)::tidegate_answer;
        end if;
        if d.lease_until > tidegate_now() then
            return row('HELD_ELSEWHERE', null, null, d.owner, d.lease_until)::tidegate_answer;
        end if;
        return null;
    end if;
    queued := d.waiting > 0 and exists (select from tidegate_backlog where domain_id = d.id and work_offset = p_offset);
    if known and not queued and tidegate_is_processed(d, p_offset) then
        return row('ALREADY_PROCESSED', null, null, null, null)::tidegate_answer;
    end if;
    if d.secret is not null then
        return case when queued then row('ENQUEUED', null, null, null, null)::tidegate_answer end;
    end if;
    head := tidegate_head(d);
    return case when head <> p_offset then row('OUT_OF_ORDER', null, null, null, head)::tidegate_answer end;
end
$$;

-- In the caller's transaction the row is locked before the first look: the snapshot may be old, and the lock detects
-- that.
create function tidegate_try_acquire_with_care(
    p_lease text, p_name text, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_max_retries int, p_max_backlog int,
    p_joined boolean)
returns tidegate_answer language plpgsql volatile as $$
declare
    answer tidegate_answer;
    d tidegate_domain;
begin
    if not p_joined then
        answer := tidegate_look(p_lease, p_name, p_offset, p_owner);
        if answer.code is not null then
            return answer;
        end if;
    end if;
    d := tidegate_locked_or_new(p_lease, p_name);
    answer := tidegate_look(p_lease, p_name, p_offset, p_owner);
    if answer.code is not null then
        if not p_joined then
            -- Nothing has changed, and everything that was read is on the disk already: without a wait for the disk the
            -- lock ends sooner.
            perform set_config('synchronous_commit', 'off', true);
        end if;
        return answer;
    end if;
    if d.lease_offset = p_offset then
        if d.secret is null then -- it was released
            return tidegate_grant(d, p_offset, p_owner, p_secret, p_millis, d.acquired_at, d.retry_count);
        end if;
        if d.retry_count < p_max_retries then -- its time is over
            return tidegate_grant(d, p_offset, p_owner, p_secret, p_millis, d.acquired_at, d.retry_count + 1);
        end if;
        perform tidegate_add_failed(d, 'lost with its owner, no retry left');
        -- no owner has finished the lost attempt, so the last finish stays
        perform tidegate_free(d, d.last_token, d.last_code, d.last_number);
        return row('ALREADY_FAILED', null, null, null, null)::tidegate_answer;
    end if;
    if d.secret is not null then
        if d.waiting >= p_max_backlog then
            return row('BACKLOG_FULL', null, null, null, p_max_backlog)::tidegate_answer;
        end if;
        insert into tidegate_backlog (domain_id, work_offset) values (d.id, p_offset);
        update tidegate_domain set waiting = waiting + 1, changed_at = clock_timestamp() where id = d.id;
        return row('ENQUEUED', null, null, null, null)::tidegate_answer;
    end if;
    if d.waiting > 0 then -- and it is the head
        delete from tidegate_backlog where domain_id = d.id and work_offset = p_offset returning place into d.taken_place;
        d.waiting := d.waiting - 1;
    end if;
    return tidegate_grant(d, p_offset, p_owner, p_secret, p_millis, null, 0);
end
$$;

-- The fast path: most offers are new offsets of a domain where nothing is leased or waits, which the row alone shows.
-- One statement checks the row and changes it. If the statement has to wait for the row, it checks the row again as it
-- is then, and draws a new fence. The clock was read before the wait: if more than 10 ms or a hundredth of the lease is
-- over by now, the lease is dated again.
create function tidegate_try_acquire(
    p_lease text, p_name text, p_offset bigint, p_owner text, p_secret text, p_millis bigint, p_max_retries int, p_max_backlog int,
    p_wait text)
returns tidegate_answer language plpgsql volatile set enable_seqscan = off as $$
declare
    begun text := tidegate_begin(p_wait);
    at bigint := tidegate_now();
    given tidegate_answer;
begin
    update tidegate_domain set
        lease_offset = p_offset, secret = p_secret, fence = nextval('tidegate_fence'), owner = p_owner, acquired_at = at,
        lease_until = at + p_millis, retry_count = 0, retries_before = 0, look_at = least(look_at, at + p_millis)
    where ctid = (select ctid from tidegate_domain
            where lease = p_lease and name >= p_name and name <= p_name order by name desc limit 1)
        and lease = p_lease and name = p_name and lease_offset is null and waiting = 0
        and (highest is null or p_offset > highest) and (forgotten is null or p_offset > forgotten)
    returning 'ACQUIRED', fence || '.' || secret, fence, null, 0 into given;
    if not found then
        return tidegate_try_acquire_with_care(
            p_lease, p_name, p_offset, p_owner, p_secret, p_millis, p_max_retries, p_max_backlog, p_wait is null);
    end if;
    if tidegate_now() > at + least(10, p_millis / 100) then
        at := tidegate_now();
        update tidegate_domain set acquired_at = at, lease_until = at + p_millis
        where ctid = (select ctid from tidegate_domain
            where lease = p_lease and name >= p_name and name <= p_name order by name desc limit 1);
    end if;
    return given;
end
$$;

create function tidegate_succeed_with_care(p_lease text, p_name text, p_token text)
returns tidegate_answer language plpgsql volatile as $$
declare
    d tidegate_domain := tidegate_locked(p_lease, p_name);
    head bigint;
    code text;
begin
    if d.fence || '.' || d.secret = p_token then
        head := tidegate_head(d);
        code := case when head is null then 'NO_BACKLOG' else 'NEXT_HINT' end;
        d.processed_count := d.processed_count + 1;
        perform tidegate_free(tidegate_add_processed(d, d.lease_offset), p_token, code, head);
        return row(code, null, null, null, head)::tidegate_answer;
    end if;
    if d.last_token = p_token and d.last_code in ('NO_BACKLOG', 'NEXT_HINT') then
        return row(d.last_code, null, null, null, d.last_number)::tidegate_answer;
    end if;
    return tidegate_refusal(d);
end
$$;

-- The fast path: most successes continue the run of processed offsets, and no offset waits.
create function tidegate_succeed(p_lease text, p_name text, p_token text, p_wait text)
returns tidegate_answer language plpgsql volatile set enable_seqscan = off as $$
declare
    begun text := tidegate_begin(p_wait);
begin
    update tidegate_domain set
        lease_offset = null, secret = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, run_last = lease_offset, processed_count = processed_count + 1, highest = greatest(highest, lease_offset),
        last_token = p_token, last_code = 'NO_BACKLOG', last_number = null, changed_at = clock_timestamp()
    where ctid = (select ctid from tidegate_domain
            where lease = p_lease and name >= p_name and name <= p_name order by name desc limit 1)
        and lease = p_lease and name = p_name and fence || '.' || secret = p_token and waiting = 0
        and case when run_last < lease_offset then lease_offset - 1 = run_last end and (forgotten is null or lease_offset > forgotten);
    if found then
        return row('NO_BACKLOG', null, null, null, null)::tidegate_answer;
    end if;
    return tidegate_succeed_with_care(p_lease, p_name, p_token);
end
$$;

-- Ends the lease, and grants the next offset in line by the same update. A repeated or refused success takes the
-- ordinary way.
create function tidegate_succeed_and_take_next(
    p_lease text, p_name text, p_token text, p_owner text, p_secret text, p_millis bigint, p_max_retries int, p_max_backlog int,
    p_wait text)
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile
set enable_seqscan = off as $$
#variable_conflict use_column
declare
    begun text := tidegate_begin(p_wait);
    d tidegate_domain := tidegate_locked(p_lease, p_name);
    at bigint := tidegate_now();
    head bigint := case when d.fence || '.' || d.secret = p_token then tidegate_head(d) end;
    ended tidegate_answer;
begin
    if head is null then
        ended := tidegate_succeed_with_care(p_lease, p_name, p_token);
        return query select 1::bigint, ended.*;
        if ended.code = 'NEXT_HINT' then
            return query select 2::bigint, t.* from tidegate_try_acquire_with_care(
                p_lease, p_name, ended.number, p_owner, p_secret, p_millis, p_max_retries, p_max_backlog, true) t;
        end if;
        return;
    end if;
    d := tidegate_add_processed(d, d.lease_offset);
    delete from tidegate_backlog where domain_id = d.id and work_offset = head returning place into d.taken_place;
    return query select 1::bigint, 'NEXT_HINT', null, null::bigint, null, head;
    return query update tidegate_domain o set
        lease_offset = head, secret = p_secret, fence = nextval('tidegate_fence'), owner = p_owner, acquired_at = at,
        lease_until = at + p_millis, retry_count = 0, retries_before = 0, waiting = o.waiting - 1, taken_place = d.taken_place,
        run_first = d.run_first, run_last = d.run_last, processed_count = o.processed_count + 1,
        highest = greatest(o.highest, d.lease_offset), last_token = p_token, last_code = 'NEXT_HINT', last_number = head,
        look_at = least(o.look_at, at + p_millis)
    where ctid = (select ctid from tidegate_domain where id >= d.id and id <= d.id order by id desc limit 1)
    returning 2::bigint, 'ACQUIRED', o.fence || '.' || o.secret, o.fence, null, 0::bigint;
end
$$;

-- p_failure counts the failures with this token from 1; 0 means the next one.
create function tidegate_fail(
    p_lease text, p_name text, p_token text, p_failure int, p_permanent boolean, p_reason text, p_millis bigint, p_max_retries int,
    p_wait text)
returns tidegate_answer language plpgsql volatile as $$
declare
    begun text := tidegate_begin(p_wait);
    d tidegate_domain := tidegate_locked(p_lease, p_name);
    reported int := d.retry_count - d.retries_before;
    until bigint := tidegate_now() + p_millis;
    head bigint;
    code text;
begin
    if d.fence || '.' || d.secret = p_token then
        if p_failure between 1 and reported then
            return row('RETRY_SCHEDULED', null, null, null, d.retries_before + p_failure)::tidegate_answer;
        end if;
        if p_failure > reported + 1 then
            return row('FAILURE_SKIPPED', null, null, null, reported + 1)::tidegate_answer;
        end if;
        if d.retry_count < p_max_retries and not p_permanent then
            update tidegate_domain set
                retry_count = d.retry_count + 1, lease_until = until, look_at = least(look_at, until), changed_at = clock_timestamp()
            where id = d.id;
            return row('RETRY_SCHEDULED', null, null, null, d.retry_count + 1)::tidegate_answer;
        end if;
        head := tidegate_head(d);
        code := case when head is null then 'GIVE_UP_NO_BACKLOG' else 'GIVE_UP_NEXT_HINT' end;
        perform tidegate_add_failed(d, p_reason);
        perform tidegate_free(d, p_token, code, head);
        return row(code, null, null, null, head)::tidegate_answer;
    end if;
    if d.last_token = p_token and d.last_code in ('GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') then
        return row(d.last_code, null, null, null, d.last_number)::tidegate_answer;
    end if;
    return tidegate_refusal(d);
end
$$;

create function tidegate_prolong(d tidegate_domain, p_token text, p_millis bigint)
returns tidegate_answer language plpgsql volatile as $$
declare
    until bigint := tidegate_now() + p_millis;
begin
    if d.fence || '.' || d.secret = p_token then
        update tidegate_domain set lease_until = until, look_at = least(look_at, until), changed_at = clock_timestamp() where id = d.id;
        return row('RENEWED', null, null, null, until)::tidegate_answer;
    end if;
    return tidegate_refusal(d);
end
$$;

create function tidegate_renew(p_lease text, p_name text, p_token text, p_millis bigint, p_wait text)
returns tidegate_answer language plpgsql volatile as $$
declare
    begun text := tidegate_begin(p_wait);
begin
    return tidegate_prolong(tidegate_locked(p_lease, p_name), p_token, p_millis);
end
$$;

create function tidegate_release(p_lease text, p_name text, p_token text, p_wait text)
returns tidegate_answer language plpgsql volatile as $$
declare
    begun text := tidegate_begin(p_wait);
    d tidegate_domain := tidegate_locked(p_lease, p_name);
begin
    if d.fence || '.' || d.secret = p_token then
        update tidegate_domain set
            secret = null, fence = null, owner = null, lease_until = null, retries_before = null,
            look_at = least(look_at, tidegate_now()), changed_at = clock_timestamp()
        where id = d.id;
        return row('RELEASED', null, null, null, null)::tidegate_answer;
    end if;
    return tidegate_refusal(d);
end
$$;

-- Returns whether there is more to forget: one call deletes at most p_most rows, and raises the bound only that far.
-- The row that contains the bound stays. In a call for all domains, a domain is not created, and stays as idle as
-- before.
create function tidegate_forget(p_lease text, p_name text, p_offset bigint, p_most int, p_all boolean, p_wait text)
returns boolean language plpgsql volatile as $$
declare
    begun text := tidegate_begin(p_wait);
    d tidegate_domain;
    bound bigint;
begin
    d := case when p_all then tidegate_locked(p_lease, p_name) else tidegate_locked_or_new(p_lease, p_name) end;
    if d.id is null or d.forgotten >= p_offset then
        return false;
    end if;
    select least(last_offset, p_offset) into bound from tidegate_processed
    where domain_id = d.id and first_offset <= p_offset order by first_offset offset p_most - 1 limit 1;
    bound := coalesce(bound, p_offset);
    delete from tidegate_processed where domain_id = d.id and first_offset <= bound and last_offset <= bound;
    update tidegate_domain set
        forgotten = bound,
        run_first = case when run_last > bound then run_first end,
        run_last = case when run_last > bound then run_last end,
        changed_at = case when p_all then changed_at else clock_timestamp() end
    where id = d.id;
    return bound < p_offset;
end
$$;

create function tidegate_replay(p_lease text, p_name text, p_offset bigint, p_wait text)
returns boolean language plpgsql volatile as $$
declare
    begun text := tidegate_begin(p_wait);
    d tidegate_domain := tidegate_locked(p_lease, p_name);
begin
    delete from tidegate_failed where domain_id = d.id and work_offset = p_offset;
    if not found then
        return false;
    end if;
    insert into tidegate_backlog (domain_id, work_offset) values (d.id, p_offset);
    update tidegate_domain set
        waiting = waiting + 1, look_at = case when secret is null then least(look_at, tidegate_now()) else look_at end,
        changed_at = clock_timestamp()
    where id = d.id;
    return true;
end
$$;

-- ---- batches: one transaction each. All callers lock the domains in one order. Answers carry their place in the
-- request ----

create function tidegate_try_acquire_all(
    p_lease text, p_names text[], p_offsets bigint[], p_owner text, p_secrets text[], p_millis bigint, p_max_retries int,
    p_max_backlog int, p_wait text)
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile as $$
declare
    asked record;
begin
    for asked in
        select * from unnest(p_names, p_offsets, p_secrets) with ordinality as a (name, work_offset, secret, place)
        order by a.name collate "C", a.place
    loop
        return query select asked.place, t.* from
            tidegate_try_acquire(
                p_lease, asked.name, asked.work_offset, p_owner, asked.secret, p_millis, p_max_retries, p_max_backlog, p_wait) t;
    end loop;
end
$$;

create function tidegate_succeed_all(p_lease text, p_names text[], p_tokens text[], p_wait text)
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile as $$
declare
    asked record;
begin
    for asked in
        select * from unnest(p_names, p_tokens) with ordinality as a (name, token, place)
        order by a.name collate "C", a.place
    loop
        return query select asked.place, t.* from tidegate_succeed(p_lease, asked.name, asked.token, p_wait) t;
    end loop;
end
$$;

-- Waits for no lock. The answer for a locked row is 0; nobody can take over its lease meanwhile.
create function tidegate_renew_all(p_lease text, p_names text[], p_tokens text[], p_millis bigint)
returns table (place bigint, code text, token text, fence bigint, owner text, number bigint) language plpgsql volatile as $$
declare
    begun text := tidegate_begin(null);
    asked record;
    d tidegate_domain;
begin
    for asked in select * from unnest(p_names, p_tokens) with ordinality as a (name, token, place) loop
        select * into d from tidegate_domain o where o.lease = p_lease and o.name = asked.name for update skip locked;
        if d.id is null and exists (select from tidegate_domain o where o.lease = p_lease and o.name = asked.name) then
            return query select asked.place, 'RENEWED', null, null::bigint, null, 0::bigint;
        else
            return query select asked.place, t.* from tidegate_prolong(d, asked.token, p_millis) t;
        end if;
    end loop;
end
$$;

-- ---- maintenance of the tables. Here, too, rows are locked first. Rows that others have locked are left for the next
-- call ----

create function tidegate_delete_idle(p_lease text, p_millis bigint, p_most int) returns bigint language plpgsql volatile as $$
declare
    begun text := tidegate_begin(null);
    idle bigint[];
    deleted bigint[];
begin
    select array_agg(id) into idle from (
        select id from tidegate_domain d
        where lease = p_lease and lease_offset is null and waiting = 0
            and changed_at <= clock_timestamp() - p_millis * interval '1 millisecond'
            and not exists (select from tidegate_failed f where f.domain_id = d.id)
        limit p_most
        for update skip locked) as idle_rows;
    -- some domains may have got a failed offset before the lock was granted
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

create function tidegate_delete_failed(p_lease text, p_millis bigint, p_most int) returns bigint language plpgsql volatile as $$
declare
    begun text := tidegate_begin(null);
    until timestamptz := clock_timestamp() - p_millis * interval '1 millisecond';
    ids bigint[];
    offsets bigint[];
    old record;
    d tidegate_domain;
    deleted bigint := 0;
begin
    select array_agg(domain_id), array_agg(work_offset) into ids, offsets from (
        select f.domain_id, f.work_offset from tidegate_failed f join tidegate_domain o on o.id = f.domain_id
        where o.lease = p_lease and f.failed_at <= until order by f.failed_at limit p_most
        for update of o skip locked) as old_rows;
    for old in select * from unnest(ids, offsets) as u (domain_id, work_offset) loop
        -- the offset may have been replayed before the lock was granted
        delete from tidegate_failed where domain_id = old.domain_id and work_offset = old.work_offset and failed_at <= until;
        if found then
            -- the offset counts as processed from now on
            select * into d from tidegate_domain where id = old.domain_id;
            d := tidegate_add_processed(d, old.work_offset);
            update tidegate_domain set run_first = d.run_first, run_last = d.run_last, changed_at = clock_timestamp() where id = d.id;
            deleted := deleted + 1;
        end if;
    end loop;
    return deleted;
end
$$;

-- Packs the processed offsets of version 1, in order, so that each row is written once.
do $$
declare
    old record;
    r tidegate_processed;
begin
    if to_regclass('tidegate_processed_v1') is null then
        return;
    end if;
    for old in select domain_id, first_offset, last_offset from tidegate_processed_v1 order by domain_id, first_offset loop
        if r.domain_id = old.domain_id and tidegate_has_room(r, old.first_offset, old.last_offset) then
            r := tidegate_appended(r, old.first_offset, old.last_offset);
        else
            if r.domain_id is not null then
                insert into tidegate_processed select r.*;
            end if;
            r := row(old.domain_id, old.first_offset, old.last_offset, old.first_offset, ''::bytea);
        end if;
    end loop;
    if r.domain_id is not null then
        insert into tidegate_processed select r.*;
    end if;
    drop table tidegate_processed_v1;
end
$$;

insert into tidegate_schema (component, version) values ('lease', 3);
