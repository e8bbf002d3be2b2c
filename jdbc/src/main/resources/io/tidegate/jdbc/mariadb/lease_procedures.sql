-- Tidegate work lease for MariaDB and MySQL, version 3: the rules. Run it after lease_V3.sql, or after the script that
-- brings an earlier version to 3.

-- The procedures lock the domain's row by a separate statement, in READ COMMITTED, so the following statements see
-- everything that was committed before the lock was granted. When a procedure is joined to the caller's transaction,
-- which may have an old snapshot, the following reads lock, too, because a locking read sees the newest rows. The
-- answer comes after the commit, or else the commit comes before the end of the answer, so a client that has read the
-- whole answer knows that it is durable. utc_timestamp() is the time at which its own statement began, which is after
-- the lock.

delimiter $$

-- ---- changes of a domain ----

create procedure if not exists tidegate_free(in p_id bigint, in p_token varbinary(100), in p_code varchar(20), in p_number bigint)
sql security invoker
begin
    declare v_now bigint default timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
    -- highest comes before lease_offset, because columns are assigned from left to right
    update tidegate_domain set
        highest = if(highest >= lease_offset, highest, lease_offset),
        lease_offset = null, token = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, last_token = p_token, last_code = p_code, last_number = p_number,
        look_at = if(waiting = 0 or look_at <= v_now, look_at, v_now), changed_at = v_now
    where id = p_id;
end$$

create procedure if not exists tidegate_enqueue(in p_id bigint, in p_offset bigint)
sql security invoker
begin
    declare v_now bigint default timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
    update tidegate_domain set
        waiting = waiting + 1, last_place = last_place + 1, look_at = if(token is not null or look_at <= v_now, look_at, v_now),
        changed_at = v_now
    where id = p_id;
    insert into tidegate_backlog (domain_id, place, work_offset) select id, last_place, p_offset from tidegate_domain where id = p_id;
end$$

create procedure if not exists tidegate_add_failed(in p_id bigint, in p_offset bigint, in p_retries int, in p_reason varbinary(3000))
sql security invoker
begin
    insert into tidegate_failed (domain_id, work_offset, retry_count, failed_at, reason)
    values (p_id, p_offset, p_retries, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000, p_reason);
end$$

-- Locks the row of a domain, and creates it if it does not exist.
create procedure if not exists tidegate_lock_or_create(in p_lease varbinary(300), in p_name varbinary(2000), out o_id bigint)
sql security invoker
begin
    declare continue handler for not found begin end;
    select id into o_id from tidegate_domain where lease = p_lease and name = p_name for update;
    if o_id is null then
        insert into tidegate_domain (lease, name, changed_at)
        values (p_lease, p_name, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000)
        on duplicate key update name = p_name;
        select id into o_id from tidegate_domain where lease = p_lease and name = p_name for update;
    end if;
end$$

-- Processed offsets. A row of tidegate_processed has a run without gaps from tail_offset to last_offset, and in the
-- column packed the runs before it, from first_offset on. Each packed run is one or two numbers. The first is the
-- distance from its end to the next run, less 2, doubled, plus 1 if the run is longer than one offset. The second, for
-- a longer run only, is the number of its further offsets, less 1. A number is stored in 7 bits of each byte, the
-- lowest first, and all its bytes but the last have 128 added. So a run can be added behind the last one, or before the
-- first, without reading the others. A row spans less than 2^60, so that no number becomes too great.

create procedure if not exists tidegate_pack(inout p_packed varbinary(1000), in p_first bigint, in p_last bigint, in p_next bigint)
sql security invoker
begin
    declare v_number bigint default (p_next - p_last - 2) * 2 + (p_first < p_last);
    while v_number > 127 do
        set p_packed = concat(p_packed, char(v_number & 127 | 128)), v_number = v_number >> 7;
    end while;
    set p_packed = concat(p_packed, char(v_number));
    if p_first < p_last then
        set v_number = p_last - p_first - 1;
        while v_number > 127 do
            set p_packed = concat(p_packed, char(v_number & 127 | 128)), v_number = v_number >> 7;
        end while;
        set p_packed = concat(p_packed, char(v_number));
    end if;
end$$

-- Finds the last run that begins before the offset, or the first run that ends after so many bytes. Returns the byte
-- behind which it is packed, its last byte, its two ends, and the beginning of the next run. The search starts at the
-- run behind the byte p_begins, which begins at p_first.
create procedure if not exists tidegate_walk(
    in p_packed varbinary(1000), in p_begins int, in p_first bigint, in p_offset bigint, in p_enough int,
    out o_begins int, out o_ends int, out o_first bigint, out o_last bigint, out o_next bigint)
sql security invoker
begin
    declare v_byte, v_shift int;
    declare v_distance, v_longer bigint;
    set o_ends = p_begins, o_next = p_first;
    repeat
        set o_begins = o_ends, o_first = o_next, o_last = o_next, v_distance = 0, v_shift = 0;
        repeat
            set o_ends = o_ends + 1, v_byte = ascii(substr(p_packed, o_ends, 1));
            set v_distance = v_distance | (v_byte & 127) << v_shift, v_shift = v_shift + 7;
        until v_byte < 128 end repeat;
        if v_distance & 1 then
            set v_longer = 0, v_shift = 0;
            repeat
                set o_ends = o_ends + 1, v_byte = ascii(substr(p_packed, o_ends, 1));
                set v_longer = v_longer | (v_byte & 127) << v_shift, v_shift = v_shift + 7;
            until v_byte < 128 end repeat;
            set o_last = o_first + v_longer + 1;
        end if;
        set o_next = o_last + v_distance div 2 + 2;
    until o_next > p_offset or o_ends >= p_enough end repeat;
end$$

-- Whether the offset is in a row of tidegate_processed.
create procedure if not exists tidegate_find_processed(in p_id bigint, in p_offset bigint, out o_found boolean)
sql security invoker
begin
    declare v_first, v_last, v_tail, v_run_first, v_run_last, v_next bigint;
    declare v_packed varbinary(1000);
    declare v_begins, v_ends int;
    declare continue handler for not found begin end;
    select first_offset, last_offset, tail_offset, packed into v_first, v_last, v_tail, v_packed
    from tidegate_processed where domain_id = p_id and first_offset <= p_offset order by first_offset desc limit 1 lock in share mode;
    if v_first is null or p_offset > v_last then
        set o_found = false;
    elseif p_offset >= v_tail then
        set o_found = true;
    else
        call tidegate_walk(v_packed, 0, v_first, p_offset, length(v_packed), v_begins, v_ends, v_run_first, v_run_last, v_next);
        set o_found = p_offset <= v_run_last;
    end if;
end$$

-- Puts a run behind the last one of a row.
create procedure if not exists tidegate_append(
    inout p_last bigint, inout p_tail bigint, inout p_packed varbinary(1000), in p_run_first bigint, in p_run_last bigint)
sql security invoker
begin
    if p_last + 1 < p_run_first then
        call tidegate_pack(p_packed, p_tail, p_last, p_run_first);
        set p_tail = p_run_first;
    end if;
    set p_last = p_run_last;
end$$

-- Puts a run before the first one of a row, or between two, and joins it with the runs that it touches.
create procedure if not exists tidegate_insert(
    inout p_first bigint, inout p_tail bigint, inout p_packed varbinary(1000), in p_run_first bigint, in p_run_last bigint)
sql security invoker
begin
    declare v_begins, v_ends int default 0;
    declare v_before_first, v_before_last, v_next, v_after_first, v_after_last, v_after_next bigint;
    declare v_first bigint default p_run_first;
    declare v_packed varbinary(1000);
    set v_next = p_first;
    if p_run_first > p_first then
        call tidegate_walk(
            p_packed, 0, p_first, p_run_first, length(p_packed), v_begins, v_ends, v_before_first, v_before_last, v_next);
    end if;
    set p_first = least(p_first, p_run_first), v_packed = left(p_packed, v_begins);
    if v_before_last + 1 = p_run_first then
        set v_first = v_before_first;
    elseif v_before_first is not null then
        call tidegate_pack(v_packed, v_before_first, v_before_last, p_run_first);
    end if;
    if p_run_last + 1 < v_next then
        call tidegate_pack(v_packed, v_first, p_run_last, v_next);
        set p_packed = concat(v_packed, substr(p_packed, v_ends + 1));
    elseif v_next < p_tail then
        call tidegate_walk(p_packed, v_ends, v_next, v_next, 0, v_begins, v_ends, v_after_first, v_after_last, v_after_next);
        call tidegate_pack(v_packed, v_first, v_after_last, v_after_next);
        set p_packed = concat(v_packed, substr(p_packed, v_ends + 1));
    else
        set p_packed = v_packed, p_tail = v_first;
    end if;
end$$

-- The run goes into the row before it, since most runs continue the end of that row. If that row has no room, the run
-- goes to the front of the next row, or becomes a new row. A row that has become too long is split in two.
create procedure if not exists tidegate_add_run(in p_id bigint, in p_first bigint, in p_last bigint)
sql security invoker
operation: begin
    declare r_key, r_first, r_last, r_tail, v_first, v_last, v_next bigint;
    declare r_packed varbinary(1000);
    declare v_begins, v_ends int;
    declare continue handler for not found begin end;
    select first_offset, first_offset, last_offset, tail_offset, packed into r_key, r_first, r_last, r_tail, r_packed
    from tidegate_processed where domain_id = p_id and first_offset < p_first order by first_offset desc limit 1 for update;
    if p_first < r_last then
        call tidegate_insert(r_first, r_tail, r_packed, p_first, p_last);
    elseif length(r_packed) < 256 and cast(p_last as decimal(20)) - r_first < 1152921504606846976 then
        call tidegate_append(r_last, r_tail, r_packed, p_first, p_last);
    else
        set r_key = null;
        select first_offset, first_offset, last_offset, tail_offset, packed into r_key, r_first, r_last, r_tail, r_packed
        from tidegate_processed where domain_id = p_id and first_offset > p_first order by first_offset limit 1 for update;
        if r_key is null or length(r_packed) >= 256 or cast(r_last as decimal(20)) - p_first >= 1152921504606846976 then
            insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)
            values (p_id, p_first, p_last, p_first, '');
            leave operation;
        end if;
        call tidegate_insert(r_first, r_tail, r_packed, p_first, p_last);
    end if;
    if length(r_packed) > 300 then
        call tidegate_walk(r_packed, 0, r_first, r_last, 128, v_begins, v_ends, v_first, v_last, v_next);
        insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)
        values (p_id, v_next, r_last, r_tail, substr(r_packed, v_ends + 1));
        set r_last = v_last, r_tail = v_first, r_packed = left(r_packed, v_begins);
    end if;
    update tidegate_processed set first_offset = r_first, last_offset = r_last, tail_offset = r_tail, packed = r_packed
    where domain_id = p_id and first_offset = r_key;
end$$

-- Adds an offset that is processed from now on to the run in the domain's row.
create procedure if not exists tidegate_add_processed(in p_id bigint, in p_offset bigint, inout p_first bigint, inout p_last bigint)
sql security invoker
begin
    if cast(p_last as decimal(20)) + 1 = p_offset then
        set p_last = p_offset;
    elseif cast(p_first as decimal(20)) - 1 = p_offset then
        set p_first = p_offset;
    else
        if p_first is not null then
            call tidegate_add_run(p_id, p_first, p_last);
        end if;
        set p_first = p_offset, p_last = p_offset;
    end if;
end$$

-- ---- operations within a transaction, which may be the caller's ----

create procedure if not exists tidegate_acquire_one(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_offset bigint, in p_owner varbinary(2000), in p_secret varbinary(50),
    in p_millis bigint, in p_max_retries int, in p_max_backlog int, out o_code varchar(20), out o_token varbinary(100), out o_fence bigint,
    out o_owner varbinary(2000), out o_number bigint)
sql security invoker
operation: begin
    declare d_id, d_offset, d_fence, d_acquired_at, d_until, d_waiting, d_taken, d_forgotten, d_first, d_last, d_highest bigint;
    declare d_last_fence, d_last_number bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_owner varbinary(2000);
    declare d_last_code varchar(20);
    declare d_retries int;
    declare v_now, v_head, v_place bigint;
    declare is_known, is_queued, is_processed boolean default false;
    declare continue handler for not found begin end;

    reading: loop
        select id, lease_offset, token, fence, owner, acquired_at, lease_until, retry_count, waiting, taken_place, forgotten, run_first,
            run_last, highest, last_fence, last_token, last_code, last_number
        into d_id, d_offset, d_token, d_fence, d_owner, d_acquired_at, d_until, d_retries, d_waiting, d_taken, d_forgotten, d_first,
            d_last, d_highest, d_last_fence, d_last_token, d_last_code, d_last_number
        from tidegate_domain where lease = p_lease and name = p_name for update;
        if d_id is not null then
            leave reading;
        end if;
        call tidegate_lock_or_create(p_lease, p_name, d_id);
        set d_id = null;
    end loop;

    set is_known = coalesce(p_offset <= d_highest or p_offset <= d_forgotten, false);
    if is_known and exists (select 1 from tidegate_failed where domain_id = d_id and work_offset = p_offset lock in share mode) then
        set o_code = 'ALREADY_FAILED';
        leave operation;
    end if;

    if d_offset = p_offset then
        if d_owner = p_owner then
            set o_code = 'ALREADY_ACQUIRED', o_token = d_token, o_fence = d_fence, o_number = d_retries;
            leave operation;
        end if;
        if d_until > timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 then
            set o_code = 'HELD_ELSEWHERE', o_owner = d_owner, o_number = d_until;
            leave operation;
        end if;
        -- an offset without a token was released, which is no retry
        if d_token is not null then
            if d_retries >= p_max_retries then
                call tidegate_add_failed(d_id, d_offset, d_retries, 'lost with its owner, no retry left');
                -- no owner has finished the lost attempt, so the last finish stays
                call tidegate_free(d_id, d_last_token, d_last_code, d_last_number);
                set o_code = 'ALREADY_FAILED';
                leave operation;
            end if;
            set d_retries = d_retries + 1;
        end if;
    else
        if d_waiting > 0 then
            set is_queued = exists (
                select 1 from tidegate_backlog where domain_id = d_id and work_offset = p_offset lock in share mode);
        end if;
        if is_known and not is_queued then
            set is_processed = p_offset <= d_forgotten or p_offset between d_first and d_last;
            if is_processed is not true then
                call tidegate_find_processed(d_id, p_offset, is_processed);
            end if;
            if is_processed then
                set o_code = 'ALREADY_PROCESSED';
                leave operation;
            end if;
        end if;
        if d_token is not null then
            if not is_queued then
                if d_waiting >= p_max_backlog then
                    set o_code = 'BACKLOG_FULL', o_number = p_max_backlog;
                    leave operation;
                end if;
                call tidegate_enqueue(d_id, p_offset);
            end if;
            set o_code = 'ENQUEUED';
            leave operation;
        end if;
        if d_offset is not null then
            set o_code = 'OUT_OF_ORDER', o_number = d_offset;
            leave operation;
        end if;
        if d_waiting > 0 then
            select work_offset, place into v_head, v_place
            from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1 lock in share mode;
            if v_head <> p_offset then
                set o_code = 'OUT_OF_ORDER', o_number = v_head;
                leave operation;
            end if;
            delete from tidegate_backlog where domain_id = d_id and place = v_place;
            set d_waiting = d_waiting - 1, d_taken = v_place;
        end if;
        set d_retries = 0, d_acquired_at = null;
    end if;

    if d_last_fence is null then
        insert into tidegate_fence values ();
        set o_fence = last_insert_id();
        delete from tidegate_fence where fence = o_fence;
    else
        set o_fence = d_last_fence + 1;
    end if;
    set v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
    set o_code = 'ACQUIRED', o_token = concat(o_fence, '.', p_secret), o_number = d_retries;
    update tidegate_domain set
        lease_offset = p_offset, token = o_token, fence = o_fence, last_fence = o_fence, owner = p_owner, acquired_at = coalesce(d_acquired_at, v_now),
        lease_until = v_now + p_millis, retry_count = d_retries, retries_before = d_retries, waiting = d_waiting, taken_place = d_taken,
        look_at = if(look_at <= v_now + p_millis, look_at, v_now + p_millis), changed_at = v_now
    where id = d_id;
end$$

create procedure if not exists tidegate_succeed_one(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), out o_code varchar(20), out o_number bigint)
sql security invoker
begin
    declare d_id, d_offset, d_waiting, d_taken, d_forgotten, d_first, d_last, d_last_number, v_now bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_last_code varchar(20);
    declare continue handler for not found begin end;

    select id, lease_offset, token, waiting, taken_place, forgotten, run_first, run_last, last_token, last_code, last_number
    into d_id, d_offset, d_token, d_waiting, d_taken, d_forgotten, d_first, d_last, d_last_token, d_last_code, d_last_number
    from tidegate_domain where lease = p_lease and name = p_name for update;

    if d_token = p_token then
        if d_waiting > 0 then
            select work_offset into o_number
            from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1 lock in share mode;
        end if;
        set o_code = if(o_number is null, 'NO_BACKLOG', 'NEXT_HINT');
        if d_forgotten is null or d_offset > d_forgotten then
            call tidegate_add_processed(d_id, d_offset, d_first, d_last);
        end if;
        set v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
        update tidegate_domain set
            lease_offset = null, token = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
            retries_before = null, run_first = d_first, run_last = d_last, processed_count = processed_count + 1,
            highest = if(highest >= d_offset, highest, d_offset),
            last_token = p_token, last_code = o_code, last_number = o_number,
            look_at = if(waiting = 0 or look_at <= v_now, look_at, v_now), changed_at = v_now
        where id = d_id;
    elseif d_last_token = p_token and d_last_code in ('NO_BACKLOG', 'NEXT_HINT') then
        set o_code = d_last_code, o_number = d_last_number;
    else
        set o_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
end$$

-- p_failure counts the failures with this token from 1; 0 means the next one.
create procedure if not exists tidegate_fail_one(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), in p_failure int, in p_permanent boolean,
    in p_reason varbinary(3000), in p_millis bigint, in p_max_retries int, out o_code varchar(20), out o_number bigint)
sql security invoker
begin
    declare d_id, d_offset, d_waiting, d_taken, d_last_number, v_now bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_last_code varchar(20);
    declare d_retries, d_retries_before, v_reported int;
    declare continue handler for not found begin end;

    select id, lease_offset, token, retry_count, retries_before, waiting, taken_place, last_token, last_code, last_number
    into d_id, d_offset, d_token, d_retries, d_retries_before, d_waiting, d_taken, d_last_token, d_last_code, d_last_number
    from tidegate_domain where lease = p_lease and name = p_name for update;
    set v_reported = d_retries - d_retries_before;

    if d_token = p_token then
        if p_failure between 1 and v_reported then
            set o_code = 'RETRY_SCHEDULED', o_number = d_retries_before + p_failure;
        elseif p_failure > v_reported + 1 then
            set o_code = 'FAILURE_SKIPPED', o_number = v_reported + 1;
        elseif d_retries < p_max_retries and not p_permanent then
            set v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
            update tidegate_domain set
                retry_count = d_retries + 1, lease_until = v_now + p_millis,
                look_at = if(look_at <= v_now + p_millis, look_at, v_now + p_millis), changed_at = v_now
            where id = d_id;
            set o_code = 'RETRY_SCHEDULED', o_number = d_retries + 1;
        else
            if d_waiting > 0 then
                select work_offset into o_number
                from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1 lock in share mode;
            end if;
            set o_code = if(o_number is null, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT');
            call tidegate_add_failed(d_id, d_offset, d_retries, p_reason);
            call tidegate_free(d_id, d_token, o_code, o_number);
        end if;
    elseif d_last_token = p_token and d_last_code in ('GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') then
        set o_code = d_last_code, o_number = d_last_number;
    else
        set o_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
end$$

-- The row is locked, if it exists.
create procedure if not exists tidegate_prolong(
    in p_id bigint, in p_live varbinary(100), in p_token varbinary(100), in p_millis bigint, out o_code varchar(20), out o_number bigint)
sql security invoker
begin
    if p_live = p_token then
        set o_code = 'RENEWED', o_number = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 + p_millis;
        update tidegate_domain set
            lease_until = o_number, look_at = if(look_at <= o_number, look_at, o_number), changed_at = o_number - p_millis
        where id = p_id;
    else
        set o_code = if(p_live is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH'), o_number = null;
    end if;
end$$

-- ---- operations as separate transactions, or joined to the caller's ----

create procedure if not exists tidegate_try_acquire(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_offset bigint, in p_owner varbinary(2000), in p_secret varbinary(50),
    in p_millis bigint, in p_max_retries int, in p_max_backlog int, in p_joined boolean)
sql security invoker
begin
    declare v_code varchar(20);
    declare v_token varbinary(100);
    declare v_owner varbinary(2000);
    declare v_fence, v_number bigint;
    if not p_joined then
        set transaction isolation level read committed;
        start transaction;
    end if;
    call tidegate_acquire_one(
        p_lease, p_name, p_offset, p_owner, p_secret, p_millis, p_max_retries, p_max_backlog, v_code, v_token, v_fence, v_owner,
        v_number);
    if not p_joined then
        commit;
    end if;
    select v_code as code, convert(v_token using utf8mb4) as token, v_fence as fence, convert(v_owner using utf8mb4) as owner,
        v_number as number;
end$$

create procedure if not exists tidegate_succeed(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), in p_joined boolean)
sql security invoker
begin
    declare v_code varchar(20);
    declare v_number bigint;
    if not p_joined then
        set transaction isolation level read committed;
        start transaction;
    end if;
    call tidegate_succeed_one(p_lease, p_name, p_token, v_code, v_number);
    if not p_joined then
        commit;
    end if;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

create procedure if not exists tidegate_succeed_and_take_next(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), in p_owner varbinary(2000),
    in p_secret varbinary(50), in p_millis bigint, in p_max_retries int, in p_max_backlog int)
sql security invoker
begin
    declare v_code, v_next_code varchar(20);
    declare v_next_token varbinary(100);
    declare v_next_owner varbinary(2000);
    declare v_number, v_next_fence, v_next_number bigint;
    set transaction isolation level read committed;
    start transaction;
    call tidegate_succeed_one(p_lease, p_name, p_token, v_code, v_number);
    if v_code = 'NEXT_HINT' then
        call tidegate_acquire_one(
            p_lease, p_name, v_number, p_owner, p_secret, p_millis, p_max_retries, p_max_backlog, v_next_code, v_next_token,
            v_next_fence, v_next_owner, v_next_number);
    end if;
    commit;
    select 1 as place, v_code as code, null as token, null as fence, null as owner, v_number as number;
    if v_next_code is not null then
        select 2 as place, v_next_code as code, convert(v_next_token using utf8mb4) as token, v_next_fence as fence,
            convert(v_next_owner using utf8mb4) as owner, v_next_number as number;
    end if;
end$$

create procedure if not exists tidegate_fail(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), in p_failure int, in p_permanent boolean,
    in p_reason varbinary(3000), in p_millis bigint, in p_max_retries int, in p_joined boolean)
sql security invoker
begin
    declare v_code varchar(20);
    declare v_number bigint;
    if not p_joined then
        set transaction isolation level read committed;
        start transaction;
    end if;
    call tidegate_fail_one(p_lease, p_name, p_token, p_failure, p_permanent, p_reason, p_millis, p_max_retries, v_code, v_number);
    if not p_joined then
        commit;
    end if;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

create procedure if not exists tidegate_renew(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100), in p_millis bigint)
sql security invoker
begin
    declare d_id, v_number bigint;
    declare d_token varbinary(100);
    declare v_code varchar(20);
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    select id, token into d_id, d_token from tidegate_domain where lease = p_lease and name = p_name for update;
    call tidegate_prolong(d_id, d_token, p_token, p_millis, v_code, v_number);
    commit;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

create procedure if not exists tidegate_release(in p_lease varbinary(300), in p_name varbinary(2000), in p_token varbinary(100))
sql security invoker
begin
    declare d_id, v_now bigint;
    declare d_token varbinary(100);
    declare v_code varchar(20);
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    select id, token into d_id, d_token from tidegate_domain where lease = p_lease and name = p_name for update;
    if d_token = p_token then
        set v_code = 'RELEASED', v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
        update tidegate_domain set
            token = null, fence = null, owner = null, lease_until = null, retries_before = null,
            look_at = if(look_at <= v_now, look_at, v_now), changed_at = v_now
        where id = d_id;
    else
        set v_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
    commit;
    select v_code as code, null as token, null as fence, null as owner, null as number;
end$$

-- Returns whether there is more to forget: one call deletes at most p_most rows, and raises the bound only that far.
-- The row that contains the bound stays. In a call for all domains, a domain is not created, and stays as idle as
-- before.
create procedure if not exists tidegate_forget(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_offset bigint, in p_most int, in p_all boolean)
sql security invoker
begin
    declare d_id, d_forgotten, v_bound bigint;
    declare v_skipped int default p_most - 1;
    declare is_more boolean default false;
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    if p_all then
        select id into d_id from tidegate_domain where lease = p_lease and name = p_name for update;
    else
        call tidegate_lock_or_create(p_lease, p_name, d_id);
    end if;
    select forgotten into d_forgotten from tidegate_domain where id = d_id;
    if d_id is not null and (d_forgotten is null or d_forgotten < p_offset) then
        select least(last_offset, p_offset) into v_bound from tidegate_processed
        where domain_id = d_id and first_offset <= p_offset order by first_offset limit v_skipped, 1;
        set v_bound = coalesce(v_bound, p_offset), is_more = v_bound < p_offset;
        delete from tidegate_processed where domain_id = d_id and first_offset <= v_bound and last_offset <= v_bound;
        -- run_last is compared before it changes, because columns are assigned from left to right
        update tidegate_domain set
            forgotten = v_bound,
            run_first = if(run_last > v_bound, run_first, null),
            run_last = if(run_last > v_bound, run_last, null),
            changed_at = if(p_all, changed_at, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000)
        where id = d_id;
    end if;
    commit;
    select is_more;
end$$

create procedure if not exists tidegate_replay(in p_lease varbinary(300), in p_name varbinary(2000), in p_offset bigint)
sql security invoker
begin
    declare d_id bigint;
    declare is_replayed boolean default false;
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    select id into d_id from tidegate_domain where lease = p_lease and name = p_name for update;
    delete from tidegate_failed where domain_id = d_id and work_offset = p_offset;
    if row_count() > 0 then
        call tidegate_enqueue(d_id, p_offset);
        set is_replayed = true;
    end if;
    commit;
    select is_replayed;
end$$

-- ---- batches: one transaction each. The request is an array of arrays, sorted by domain, so that all callers lock the
-- domains in one order ----

create procedure if not exists tidegate_try_acquire_all(
    in p_lease varbinary(300), in p_asked longtext character set utf8mb4, in p_owner varbinary(2000), in p_millis bigint,
    in p_max_retries int, in p_max_backlog int)
sql security invoker
begin
    declare v_name, v_owner varbinary(2000);
    declare v_secret varbinary(50);
    declare v_token varbinary(100);
    declare v_code varchar(20);
    declare v_place, v_offset, v_fence, v_number bigint;
    declare is_done boolean default false;
    declare asked cursor for
        select place, name, work_offset, secret
        from json_table(p_asked, '$[*]' columns (
            place for ordinality,
            name varchar(2000) character set utf8mb4 path '$[0]',
            work_offset bigint path '$[1]',
            secret varchar(50) character set utf8mb4 path '$[2]')) as a
        order by place;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    open asked;
    walk: loop
        fetch asked into v_place, v_name, v_offset, v_secret;
        if is_done then
            leave walk;
        end if;
        call tidegate_acquire_one(
            p_lease, v_name, v_offset, p_owner, v_secret, p_millis, p_max_retries, p_max_backlog, v_code, v_token, v_fence, v_owner,
            v_number);
        select v_place as place, v_code as code, convert(v_token using utf8mb4) as token, v_fence as fence,
            convert(v_owner using utf8mb4) as owner, v_number as number;
    end loop;
    close asked;
    commit;
end$$

create procedure if not exists tidegate_succeed_all(
    in p_lease varbinary(300), in p_asked longtext character set utf8mb4, in p_joined boolean)
sql security invoker
begin
    declare v_name varbinary(2000);
    declare v_token varbinary(100);
    declare v_code varchar(20);
    declare v_place, v_number bigint;
    declare is_done boolean default false;
    declare asked cursor for
        select place, name, token
        from json_table(p_asked, '$[*]' columns (
            place for ordinality,
            name varchar(2000) character set utf8mb4 path '$[0]',
            token varchar(100) character set utf8mb4 path '$[1]')) as a
        order by place;
    declare continue handler for not found set is_done = true;
    if not p_joined then
        set transaction isolation level read committed;
        start transaction;
    end if;
    open asked;
    walk: loop
        fetch asked into v_place, v_name, v_token;
        if is_done then
            leave walk;
        end if;
        call tidegate_succeed_one(p_lease, v_name, v_token, v_code, v_number);
        select v_place as place, v_code as code, null as token, null as fence, null as owner, v_number as number;
    end loop;
    close asked;
    if not p_joined then
        commit;
    end if;
end$$

-- Waits for no lock. The answer for a locked row is 0; nobody can take over its lease meanwhile.
create procedure if not exists tidegate_renew_all(
    in p_lease varbinary(300), in p_asked longtext character set utf8mb4, in p_millis bigint)
sql security invoker
begin
    declare v_name varbinary(2000);
    declare v_token, d_token varbinary(100);
    declare v_code varchar(20);
    declare v_place, v_number, v_known, d_id bigint;
    declare is_done boolean default false;
    declare asked cursor for
        select place, name, token
        from json_table(p_asked, '$[*]' columns (
            place for ordinality,
            name varchar(2000) character set utf8mb4 path '$[0]',
            token varchar(100) character set utf8mb4 path '$[1]')) as a
        order by place;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    open asked;
    walk: loop
        fetch asked into v_place, v_name, v_token;
        if is_done then
            leave walk;
        end if;
        set d_id = null, d_token = null, v_code = 'RENEWED', v_number = 0;
        select id, token into d_id, d_token from tidegate_domain where lease = p_lease and name = v_name for update skip locked;
        -- a separate query: within another statement it would wait for the lock
        set v_known = 0;
        if d_id is null then
            select count(*) into v_known from tidegate_domain where lease = p_lease and name = v_name;
        end if;
        if v_known = 0 then
            call tidegate_prolong(d_id, d_token, v_token, p_millis, v_code, v_number);
        end if;
        set is_done = false;
        select v_place as place, v_code as code, null as token, null as fence, null as owner, v_number as number;
    end loop;
    close asked;
    commit;
end$$

-- ---- maintenance of the tables. Here, too, rows are locked first. Rows that others have locked are left for the next
-- call ----

create procedure if not exists tidegate_delete_idle(in p_lease varbinary(300), in p_millis bigint, in p_most int)
sql security invoker
begin
    declare v_id, v_fence, v_greatest, v_deleted bigint default 0;
    declare is_done boolean default false;
    declare idle cursor for
        select id, coalesce(last_fence, 0) from tidegate_domain d
        where lease = p_lease and lease_offset is null and waiting = 0
            and changed_at <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 - p_millis
            and not exists (select 1 from tidegate_failed f where f.domain_id = d.id)
        limit p_most
        for update skip locked;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    open idle;
    walk: loop
        fetch idle into v_id, v_fence;
        if is_done then
            leave walk;
        end if;
        if not exists (select 1 from tidegate_failed where domain_id = v_id) then
            delete from tidegate_processed where domain_id = v_id;
            delete from tidegate_domain where id = v_id;
            set v_deleted = v_deleted + 1, v_greatest = greatest(v_greatest, v_fence);
        end if;
    end loop;
    close idle;
    if v_greatest > 0 then
        -- fences drawn from now on are greater: the inserted value raises the counter, even if the row is deleted or
        -- rolled back
        insert into tidegate_fence (fence) values (v_greatest);
        delete from tidegate_fence where fence = v_greatest;
    end if;
    commit;
    select v_deleted;
end$$

-- An offset whose failure is forgotten counts as processed.
create procedure if not exists tidegate_forget_failure(in p_id bigint, in p_offset bigint)
sql security invoker
begin
    declare d_forgotten, d_first, d_last bigint;
    select forgotten, run_first, run_last into d_forgotten, d_first, d_last from tidegate_domain where id = p_id;
    if d_forgotten is null or p_offset > d_forgotten then
        call tidegate_add_processed(p_id, p_offset, d_first, d_last);
    end if;
    update tidegate_domain set
        run_first = d_first, run_last = d_last, changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
    where id = p_id;
end$$

create procedure if not exists tidegate_delete_failed(in p_lease varbinary(300), in p_millis bigint, in p_most int)
sql security invoker
begin
    declare v_id, v_offset, v_until bigint;
    declare v_deleted bigint default 0;
    declare is_done boolean default false;
    declare old cursor for
        select f.domain_id, f.work_offset from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
        where d.lease = p_lease and f.failed_at <= v_until order by f.failed_at limit p_most
        for update skip locked;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    set v_until = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 - p_millis;
    open old;
    walk: loop
        fetch old into v_id, v_offset;
        if is_done then
            leave walk;
        end if;
        delete from tidegate_failed where domain_id = v_id and work_offset = v_offset;
        call tidegate_forget_failure(v_id, v_offset);
        set v_deleted = v_deleted + 1;
    end loop;
    close old;
    commit;
    select v_deleted;
end$$

-- ---- reading: one statement sees one state of the database ----

-- First corrects look_at of each domain that needs no owner now: to the end of its lease, or to null.
create procedure if not exists tidegate_pending(in p_lease varbinary(300), in p_after varbinary(2000), in p_most int, in p_corrections int)
sql security invoker
begin
    declare v_id, v_now bigint;
    declare is_done boolean default false;
    declare cared_for cursor for
        select id from tidegate_domain force index (tidegate_domain_watched)
        where lease = p_lease and watched > p_after and look_at <= v_now
            and if(token is null, lease_offset is null and waiting = 0, lease_until > v_now)
        order by watched limit p_corrections
        for update skip locked;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    set v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
    open cared_for;
    walk: loop
        fetch cared_for into v_id;
        if is_done then
            leave walk;
        end if;
        update tidegate_domain set look_at = lease_until where id = v_id;
    end loop;
    close cared_for;
    commit;
    select convert(name using utf8mb4) as name from tidegate_domain force index (tidegate_domain_watched)
    where lease = p_lease and watched > p_after and look_at <= v_now
        and if(token is null, lease_offset is not null or waiting > 0, lease_until <= v_now)
    order by watched limit p_most;
end$$

-- The domains that have not forgotten all offsets up to this one.
create procedure if not exists tidegate_remembering(
    in p_lease varbinary(300), in p_after varbinary(2000), in p_offset bigint, in p_most int)
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select convert(name using utf8mb4) as name from tidegate_domain
    where lease = p_lease and name > p_after and (forgotten is null or forgotten < p_offset) order by name limit p_most;
    commit;
end$$

create procedure if not exists tidegate_inspect(in p_lease varbinary(300), in p_name varbinary(2000), in p_most int)
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select d.lease_offset, convert(d.token using utf8mb4) as token, d.fence, convert(d.owner using utf8mb4) as owner, d.acquired_at,
        d.retry_count, d.processed_count, (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count, b.work_offset
    from tidegate_domain d left join tidegate_backlog b on b.domain_id = d.id and b.place > d.taken_place
    where d.lease = p_lease and d.name = p_name order by b.place limit p_most;
    commit;
end$$

create procedure if not exists tidegate_backlog_behind(
    in p_lease varbinary(300), in p_name varbinary(2000), in p_offset bigint, in p_most int)
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select b.work_offset
    from tidegate_domain d
        left join tidegate_backlog f on f.domain_id = d.id and f.work_offset = p_offset
        join tidegate_backlog b on b.domain_id = d.id
            and b.place > coalesce(f.place, if(d.token is null and d.lease_offset = p_offset, d.taken_place, null))
    where d.lease = p_lease and d.name = p_name order by b.place limit p_most;
    commit;
end$$

create procedure if not exists tidegate_failed_work(in p_lease varbinary(300), in p_name varbinary(2000), in p_most int)
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select f.work_offset, f.retry_count, f.failed_at, convert(f.reason using utf8mb4) as reason
    from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
    where d.lease = p_lease and d.name = p_name order by f.work_offset limit p_most;
    commit;
end$$

-- Packs the processed offsets of version 1, in order, so that each row is written once. After a failure in the middle
-- it starts from the beginning.
create procedure if not exists tidegate_pack_old()
sql security invoker
operation: begin
    declare v_id, v_first, v_last, r_id, r_first, r_last, r_tail bigint;
    declare r_packed varbinary(1000);
    declare is_done boolean default false;
    declare old cursor for select domain_id, first_offset, last_offset from tidegate_processed_v1 order by domain_id, first_offset;
    declare continue handler for not found set is_done = true;
    if not exists (select 1 from information_schema.tables
            where table_schema = database() and table_name = 'tidegate_processed_v1') then
        leave operation;
    end if;
    start transaction;
    delete from tidegate_processed;
    open old;
    walk: loop
        fetch old into v_id, v_first, v_last;
        if not is_done and v_id = r_id and length(r_packed) < 256
            and cast(v_last as decimal(20)) - r_first < 1152921504606846976 then
            call tidegate_append(r_last, r_tail, r_packed, v_first, v_last);
        else
            if r_id is not null then
                insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed)
                values (r_id, r_first, r_last, r_tail, r_packed);
            end if;
            if is_done then
                leave walk;
            end if;
            set r_id = v_id, r_first = v_first, r_last = v_last, r_tail = v_first, r_packed = '';
        end if;
    end loop;
    close old;
    commit;
    drop table tidegate_processed_v1;
end$$

delimiter ;

call tidegate_pack_old();
drop procedure tidegate_pack_old;

insert ignore into tidegate_schema (component, version) values ('lease', 3);
