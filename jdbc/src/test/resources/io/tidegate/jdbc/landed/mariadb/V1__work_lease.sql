-- Tidegate work lease for MariaDB and MySQL, version 1.
-- Run it in the application's database, with the client's own command line (delimiter is its word). Changes of tables are not undone here, so
-- everything is created only if it is not there: after a failure in the middle, or beside somebody else who runs it, run it again.

create table if not exists tidegate_schema (
    version int not null primary key,
    applied_at timestamp not null default current_timestamp
) engine = InnoDB;

-- The numbers that a resource compares, drawn by inserting a row, which is deleted again. Neither that nor deleting a domain resets them. It is
-- no sequence because MySQL has none.
create table if not exists tidegate_fence (
    fence bigint not null auto_increment primary key
) engine = InnoDB;

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of the domain updates it.
-- Texts are bytes: no collation takes two names or tokens for one. Times are milliseconds of UTC: no time zone has them twice.
create table if not exists tidegate_domain (
    id bigint not null auto_increment primary key,
    name varbinary(2000) not null unique,
    -- the lease: all null, or none
    lease_offset bigint,
    token varbinary(100),
    fence bigint,
    owner varbinary(2000),
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- what retry_count was when this token was given
    retries_before int,
    -- how many rows of tidegate_backlog it has
    waiting bigint not null default 0,
    -- the place of the last one that was enqueued
    last_place bigint not null default 0,
    -- the place of the last head that was taken: the search for the next one begins after it, and not among rows that are deleted but not yet purged
    taken_place bigint not null default 0,
    -- all offsets up to here are processed, unless they are open or failed
    forgotten bigint,
    -- the run of processed offsets that grew last; others are in tidegate_processed
    run_first bigint,
    run_last bigint,
    processed_count bigint not null default 0,
    -- the last finish that ended a lease, so that it can be answered again
    last_token varbinary(100),
    last_code varchar(20),
    last_number bigint,
    changed_at bigint not null
) engine = InnoDB, row_format = dynamic;

create table if not exists tidegate_backlog (
    domain_id bigint not null,
    place bigint not null,
    work_offset bigint not null,
    primary key (domain_id, place),
    unique (domain_id, work_offset)
) engine = InnoDB;

-- Runs of processed offsets, both ends included.
create table if not exists tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    primary key (domain_id, first_offset)
) engine = InnoDB;

create table if not exists tidegate_failed (
    domain_id bigint not null,
    work_offset bigint not null,
    retry_count int not null,
    failed_at bigint not null,
    primary key (domain_id, work_offset),
    key (failed_at)
) engine = InnoDB;

-- The procedures lock the domain's row by a statement of its own, in READ COMMITTED, so what follows sees all that was committed before the lock was
-- had. Where a procedure runs in the caller's transaction, which may have an old snapshot, what follows is read with locks, as locks see the newest.
-- The answer is given after the commit, or else with the commit before its end, so that who has read all of it knows that it is durable.
-- utc_timestamp() is the time at which its own statement began, which is after the lock.

delimiter $$

-- The changes.

create procedure if not exists tidegate_free(in p_id bigint, in p_token varbinary(100), in p_code varchar(20), in p_number bigint)
sql security invoker
begin
    update tidegate_domain set
        lease_offset = null, token = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
        retries_before = null, last_token = p_token, last_code = p_code, last_number = p_number,
        changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
    where id = p_id;
end$$

create procedure if not exists tidegate_enqueue(in p_id bigint, in p_offset bigint)
sql security invoker
begin
    update tidegate_domain set
        waiting = waiting + 1, last_place = last_place + 1,
        changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
    where id = p_id;
    insert into tidegate_backlog (domain_id, place, work_offset) select id, last_place, p_offset from tidegate_domain where id = p_id;
end$$

create procedure if not exists tidegate_add_failed(in p_id bigint, in p_offset bigint, in p_retries int)
sql security invoker
begin
    insert into tidegate_failed (domain_id, work_offset, retry_count, failed_at)
    values (p_id, p_offset, p_retries, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000);
end$$

-- The row of a domain that may be new, locked.
create procedure if not exists tidegate_lock_or_create(in p_name varbinary(2000), out o_id bigint)
sql security invoker
begin
    declare continue handler for not found begin end;
    select id into o_id from tidegate_domain where name = p_name for update;
    if o_id is null then
        insert into tidegate_domain (name, changed_at)
        values (p_name, timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000)
        on duplicate key update name = p_name;
        select id into o_id from tidegate_domain where name = p_name for update;
    end if;
end$$

-- The operations, within a transaction.

create procedure if not exists tidegate_acquire_one(
    in p_name varbinary(2000), in p_offset bigint, in p_owner varbinary(2000), in p_secret varbinary(50), in p_millis bigint,
    in p_max_retries int, out o_code varchar(20), out o_token varbinary(100), out o_fence bigint, out o_owner varbinary(2000),
    out o_number bigint)
sql security invoker
operation: begin
    declare d_id, d_offset, d_fence, d_acquired_at, d_until, d_waiting, d_taken, d_forgotten, d_first, d_last, d_last_number bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_owner varbinary(2000);
    declare d_last_code varchar(20);
    declare d_retries int;
    declare v_now, v_head, v_place bigint;
    declare is_queued boolean default false;

    call tidegate_lock_or_create(p_name, d_id);
    select lease_offset, token, fence, owner, acquired_at, lease_until, retry_count, waiting, taken_place, forgotten, run_first, run_last,
        last_token, last_code, last_number
    into d_offset, d_token, d_fence, d_owner, d_acquired_at, d_until, d_retries, d_waiting, d_taken, d_forgotten, d_first, d_last,
        d_last_token, d_last_code, d_last_number
    from tidegate_domain where id = d_id;

    if exists (select 1 from tidegate_failed where domain_id = d_id and work_offset = p_offset) then
        set o_code = 'ALREADY_FAILED';
        leave operation;
    end if;

    if d_offset = p_offset then
        if d_owner = p_owner then
            set o_code = 'ALREADY_ACQUIRED', o_token = d_token, o_fence = d_fence;
            leave operation;
        end if;
        if d_until > timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 then
            set o_code = 'HELD_ELSEWHERE', o_owner = d_owner, o_number = d_until;
            leave operation;
        end if;
        if d_retries >= p_max_retries then
            call tidegate_add_failed(d_id, d_offset, d_retries);
            -- nobody has finished it, so the last finish stays what it was
            call tidegate_free(d_id, d_last_token, d_last_code, d_last_number);
            set o_code = 'ALREADY_FAILED';
            leave operation;
        end if;
        set d_retries = d_retries + 1;
    else
        if d_waiting > 0 then
            set is_queued = exists (select 1 from tidegate_backlog where domain_id = d_id and work_offset = p_offset);
        end if;
        if not is_queued and (p_offset <= d_forgotten or p_offset between d_first and d_last
            or (select last_offset from tidegate_processed
                where domain_id = d_id and first_offset <= p_offset order by first_offset desc limit 1) >= p_offset) then
            set o_code = 'ALREADY_PROCESSED';
            leave operation;
        end if;
        if d_offset is not null then
            if not is_queued then
                call tidegate_enqueue(d_id, p_offset);
            end if;
            set o_code = 'ENQUEUED';
            leave operation;
        end if;
        if d_waiting > 0 then
            select work_offset, place into v_head, v_place
            from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1;
            if v_head <> p_offset then
                set o_code = 'OUT_OF_ORDER', o_number = v_head;
                leave operation;
            end if;
            delete from tidegate_backlog where domain_id = d_id and place = v_place;
            set d_waiting = d_waiting - 1, d_taken = v_place;
        end if;
        set d_retries = 0, d_acquired_at = null;
    end if;

    insert into tidegate_fence values ();
    set o_fence = last_insert_id();
    delete from tidegate_fence where fence = o_fence;
    set v_now = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000;
    set o_code = 'ACQUIRED', o_token = concat(o_fence, '.', p_secret);
    update tidegate_domain set
        lease_offset = p_offset, token = o_token, fence = o_fence, owner = p_owner, acquired_at = coalesce(d_acquired_at, v_now),
        lease_until = v_now + p_millis, retry_count = d_retries, retries_before = d_retries, waiting = d_waiting, taken_place = d_taken,
        changed_at = v_now
    where id = d_id;
end$$

-- May run in the caller's transaction.
create procedure if not exists tidegate_succeed_one(
    in p_name varbinary(2000), in p_token varbinary(100), out o_code varchar(20), out o_number bigint)
sql security invoker
begin
    declare d_id, d_offset, d_waiting, d_taken, d_forgotten, d_first, d_last, d_last_number bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_last_code varchar(20);
    declare continue handler for not found begin end;

    select id, lease_offset, token, waiting, taken_place, forgotten, run_first, run_last, last_token, last_code, last_number
    into d_id, d_offset, d_token, d_waiting, d_taken, d_forgotten, d_first, d_last, d_last_token, d_last_code, d_last_number
    from tidegate_domain where name = p_name for update;

    if d_token = p_token then
        if d_waiting > 0 then
            select work_offset into o_number
            from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1 lock in share mode;
        end if;
        set o_code = if(o_number is null, 'NO_BACKLOG', 'NEXT_HINT');
        if d_forgotten is null or d_offset > d_forgotten then
            if cast(d_last as decimal(20)) + 1 = d_offset then
                set d_last = d_offset;
            elseif cast(d_first as decimal(20)) - 1 = d_offset then
                set d_first = d_offset;
            else
                if d_first is not null then
                    insert into tidegate_processed (domain_id, first_offset, last_offset) values (d_id, d_first, d_last);
                end if;
                set d_first = d_offset, d_last = d_offset;
            end if;
        end if;
        update tidegate_domain set
            lease_offset = null, token = null, fence = null, owner = null, acquired_at = null, lease_until = null, retry_count = null,
            retries_before = null, run_first = d_first, run_last = d_last, processed_count = processed_count + 1,
            last_token = p_token, last_code = o_code, last_number = o_number,
            changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
        where id = d_id;
    elseif d_last_token = p_token and d_last_code in ('NO_BACKLOG', 'NEXT_HINT') then
        set o_code = d_last_code, o_number = d_last_number;
    else
        set o_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
end$$

-- The operations, as transactions of their own.

create procedure if not exists tidegate_try_acquire(
    in p_name varbinary(2000), in p_offset bigint, in p_owner varbinary(2000), in p_secret varbinary(50), in p_millis bigint,
    in p_max_retries int)
sql security invoker
begin
    declare v_code varchar(20);
    declare v_token varbinary(100);
    declare v_owner varbinary(2000);
    declare v_fence, v_number bigint;
    set transaction isolation level read committed;
    start transaction;
    call tidegate_acquire_one(p_name, p_offset, p_owner, p_secret, p_millis, p_max_retries, v_code, v_token, v_fence, v_owner, v_number);
    commit;
    select v_code as code, convert(v_token using utf8mb4) as token, v_fence as fence, convert(v_owner using utf8mb4) as owner,
        v_number as number;
end$$

create procedure if not exists tidegate_succeed(in p_name varbinary(2000), in p_token varbinary(100))
sql security invoker
begin
    declare v_code varchar(20);
    declare v_number bigint;
    set transaction isolation level read committed;
    start transaction;
    call tidegate_succeed_one(p_name, p_token, v_code, v_number);
    commit;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

-- As a part of the caller's transaction.
create procedure if not exists tidegate_succeed_with_caller(in p_name varbinary(2000), in p_token varbinary(100))
sql security invoker
begin
    declare v_code varchar(20);
    declare v_number bigint;
    call tidegate_succeed_one(p_name, p_token, v_code, v_number);
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

-- p_failure is which failure with this token it is, from 1, or null for the next one.
create procedure if not exists tidegate_fail(
    in p_name varbinary(2000), in p_token varbinary(100), in p_failure int, in p_millis bigint, in p_max_retries int)
sql security invoker
begin
    declare d_id, d_offset, d_waiting, d_taken, d_last_number, v_number bigint;
    declare d_token, d_last_token varbinary(100);
    declare d_last_code, v_code varchar(20);
    declare d_retries, d_retries_before, v_told int;
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;

    select id, lease_offset, token, retry_count, retries_before, waiting, taken_place, last_token, last_code, last_number
    into d_id, d_offset, d_token, d_retries, d_retries_before, d_waiting, d_taken, d_last_token, d_last_code, d_last_number
    from tidegate_domain where name = p_name for update;
    set v_told = d_retries - d_retries_before;

    if d_token = p_token then
        if p_failure <= v_told then
            set v_code = 'RETRY_SCHEDULED', v_number = d_retries_before + p_failure;
        elseif p_failure > v_told + 1 then
            set v_code = 'FAILURE_SKIPPED', v_number = v_told + 1;
        elseif d_retries < p_max_retries then
            update tidegate_domain set
                retry_count = d_retries + 1,
                lease_until = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 + p_millis,
                changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
            where id = d_id;
            set v_code = 'RETRY_SCHEDULED', v_number = d_retries + 1;
        else
            if d_waiting > 0 then
                select work_offset into v_number
                from tidegate_backlog where domain_id = d_id and place > d_taken order by place limit 1;
            end if;
            set v_code = if(v_number is null, 'GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT');
            call tidegate_add_failed(d_id, d_offset, d_retries);
            call tidegate_free(d_id, d_token, v_code, v_number);
        end if;
    elseif d_last_token = p_token and d_last_code in ('GIVE_UP_NO_BACKLOG', 'GIVE_UP_NEXT_HINT') then
        set v_code = d_last_code, v_number = d_last_number;
    else
        set v_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
    commit;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

create procedure if not exists tidegate_renew(in p_name varbinary(2000), in p_token varbinary(100), in p_millis bigint)
sql security invoker
begin
    declare d_id, v_number bigint;
    declare d_token varbinary(100);
    declare v_code varchar(20);
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    select id, token into d_id, d_token from tidegate_domain where name = p_name for update;
    if d_token = p_token then
        set v_number = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 + p_millis;
        update tidegate_domain set lease_until = v_number, changed_at = v_number - p_millis where id = d_id;
        set v_code = 'RENEWED';
    else
        set v_code = if(d_token is null, 'LEASE_NOT_FOUND', 'TOKEN_MISMATCH');
    end if;
    commit;
    select v_code as code, null as token, null as fence, null as owner, v_number as number;
end$$

create procedure if not exists tidegate_forget(in p_name varbinary(2000), in p_offset bigint)
sql security invoker
begin
    declare d_id, d_forgotten bigint;
    set transaction isolation level read committed;
    start transaction;
    call tidegate_lock_or_create(p_name, d_id);
    select forgotten into d_forgotten from tidegate_domain where id = d_id;
    if d_forgotten is null or d_forgotten < p_offset then
        delete from tidegate_processed where domain_id = d_id and last_offset <= p_offset;
        -- run_last is compared before it changes: changes are made from left to right
        update tidegate_domain set
            forgotten = p_offset,
            run_first = if(run_last > p_offset, run_first, null),
            run_last = if(run_last > p_offset, run_last, null),
            changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
        where id = d_id;
    end if;
    commit;
end$$

create procedure if not exists tidegate_replay(in p_name varbinary(2000), in p_offset bigint)
sql security invoker
begin
    declare d_id bigint;
    declare is_replayed boolean default false;
    declare continue handler for not found begin end;
    set transaction isolation level read committed;
    start transaction;
    select id into d_id from tidegate_domain where name = p_name for update;
    delete from tidegate_failed where domain_id = d_id and work_offset = p_offset;
    if row_count() > 0 then
        call tidegate_enqueue(d_id, p_offset);
        set is_replayed = true;
    end if;
    commit;
    select is_replayed;
end$$

-- Batches: one transaction. What is asked is an array of arrays, sorted by domain, so that the domains are locked in one order whoever asks.

create procedure if not exists tidegate_try_acquire_all(
    in p_asked longtext character set utf8mb4, in p_owner varbinary(2000), in p_millis bigint, in p_max_retries int)
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
        call tidegate_acquire_one(v_name, v_offset, p_owner, v_secret, p_millis, p_max_retries, v_code, v_token, v_fence, v_owner, v_number);
        select v_place as place, v_code as code, convert(v_token using utf8mb4) as token, v_fence as fence,
            convert(v_owner using utf8mb4) as owner, v_number as number;
    end loop;
    close asked;
    commit;
end$$

create procedure if not exists tidegate_succeed_all(in p_asked longtext character set utf8mb4)
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
    set transaction isolation level read committed;
    start transaction;
    open asked;
    walk: loop
        fetch asked into v_place, v_name, v_token;
        if is_done then
            leave walk;
        end if;
        call tidegate_succeed_one(v_name, v_token, v_code, v_number);
        select v_place as place, v_code as code, null as token, null as fence, null as owner, v_number as number;
    end loop;
    close asked;
    commit;
end$$

-- Looking after the tables. Locks first, here too. What is locked by others is left for the next time.

create procedure if not exists tidegate_delete_idle(in p_millis bigint, in p_most int)
sql security invoker
begin
    declare v_id, v_deleted bigint default 0;
    declare is_done boolean default false;
    declare idle cursor for
        select id from tidegate_domain d
        where token is null and waiting = 0
            and changed_at <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000 - p_millis
            and not exists (select 1 from tidegate_failed f where f.domain_id = d.id)
        limit p_most
        for update skip locked;
    declare continue handler for not found set is_done = true;
    set transaction isolation level read committed;
    start transaction;
    open idle;
    walk: loop
        fetch idle into v_id;
        if is_done then
            leave walk;
        end if;
        if not exists (select 1 from tidegate_failed where domain_id = v_id) then
            delete from tidegate_processed where domain_id = v_id;
            delete from tidegate_domain where id = v_id;
            set v_deleted = v_deleted + 1;
        end if;
    end loop;
    close idle;
    commit;
    select v_deleted;
end$$

-- An offset whose failure is forgotten counts as processed, and joins the runs beside it.
create procedure if not exists tidegate_forget_failure(in p_id bigint, in p_offset bigint)
sql security invoker
begin
    declare d_forgotten, d_first, d_last, v_first, v_last, v_before, v_after bigint;
    declare v_offset decimal(20) default p_offset;
    select forgotten, run_first, run_last into d_forgotten, d_first, d_last from tidegate_domain where id = p_id;
    if d_forgotten is null or p_offset > d_forgotten then
        select max(first_offset) into v_before from tidegate_processed where domain_id = p_id and first_offset < p_offset;
        select coalesce(max(first_offset), p_offset) into v_first
        from tidegate_processed where domain_id = p_id and first_offset = v_before and last_offset = v_offset - 1;
        select min(first_offset) into v_after from tidegate_processed where domain_id = p_id and first_offset > p_offset;
        select coalesce(max(last_offset), p_offset) into v_last
        from tidegate_processed where domain_id = p_id and first_offset = v_after and first_offset = v_offset + 1;
        delete from tidegate_processed where domain_id = p_id and first_offset between v_first and v_last;
        if cast(d_last as decimal(20)) + 1 = v_first then
            set d_last = v_last;
        elseif cast(d_first as decimal(20)) - 1 = v_last then
            set d_first = v_first;
        else
            insert into tidegate_processed (domain_id, first_offset, last_offset) values (p_id, v_first, v_last);
        end if;
    end if;
    update tidegate_domain set
        run_first = d_first, run_last = d_last, changed_at = timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000
    where id = p_id;
end$$

create procedure if not exists tidegate_delete_failed(in p_millis bigint, in p_most int)
sql security invoker
begin
    declare v_id, v_offset, v_until bigint;
    declare v_deleted bigint default 0;
    declare is_done boolean default false;
    declare old cursor for
        select f.domain_id, f.work_offset from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
        where f.failed_at <= v_until order by f.failed_at limit p_most
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

-- Looking. One statement sees one state of the database.

create procedure if not exists tidegate_inspect(in p_name varbinary(2000))
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select d.lease_offset, convert(d.token using utf8mb4) as token, d.fence, convert(d.owner using utf8mb4) as owner, d.acquired_at,
        d.retry_count, d.processed_count, (select count(*) from tidegate_failed f where f.domain_id = d.id) as failed_count, b.work_offset
    from tidegate_domain d left join tidegate_backlog b on b.domain_id = d.id
    where d.name = p_name order by b.place;
    commit;
end$$

create procedure if not exists tidegate_list_failed(in p_name varbinary(2000), in p_most int)
sql security invoker
begin
    set transaction isolation level read committed;
    start transaction read only;
    select f.work_offset, f.retry_count, f.failed_at
    from tidegate_failed f join tidegate_domain d on d.id = f.domain_id
    where d.name = p_name order by f.work_offset limit p_most;
    commit;
end$$

delimiter ;

insert ignore into tidegate_schema (version) values (1);
