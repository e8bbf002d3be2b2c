-- Tidegate work lease for MariaDB and MySQL, from version 1 to 3: leases get a name, and processed offsets are packed.
-- lease_procedures.sql comes after it. Stop the processes first. Before the script, in the same session, set the name
-- of the lease to which all rows of the tables belong:
--
-- set @tidegate_name = 'orders';
--
-- If the script fails in the middle, run it again.

drop procedure if exists tidegate_free;
drop procedure if exists tidegate_enqueue;
drop procedure if exists tidegate_add_failed;
drop procedure if exists tidegate_lock_or_create;
drop procedure if exists tidegate_acquire_one;
drop procedure if exists tidegate_succeed_one;
drop procedure if exists tidegate_try_acquire;
drop procedure if exists tidegate_succeed;
drop procedure if exists tidegate_succeed_with_caller;
drop procedure if exists tidegate_fail;
drop procedure if exists tidegate_renew;
drop procedure if exists tidegate_forget;
drop procedure if exists tidegate_replay;
drop procedure if exists tidegate_try_acquire_all;
drop procedure if exists tidegate_succeed_all;
drop procedure if exists tidegate_delete_idle;
drop procedure if exists tidegate_forget_failure;
drop procedure if exists tidegate_delete_failed;
drop procedure if exists tidegate_inspect;
drop procedure if exists tidegate_list_failed;
drop procedure if exists tidegate_upgrade;

delimiter $$

-- Each statement makes one change of a table, and only if the change is still missing.
create procedure tidegate_upgrade()
sql security invoker
begin
    if not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_domain' and column_name = 'lease') then
        alter table tidegate_domain
            add column lease varbinary(300) after id, add column look_at bigint, add column highest bigint, add column last_fence bigint;
    end if;
    update tidegate_domain set lease = convert(@tidegate_name using utf8mb4) where lease is null;
    update tidegate_domain set look_at = 0 where look_at is null and (token is not null or waiting > 0);
    if not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_domain' and column_name = 'watched') then
        -- refused if there is work but no name
        alter table tidegate_domain
            modify column lease varbinary(300) not null,
            add column watched varbinary(2000) generated always as (if(look_at is null, null, name)) virtual,
            drop key name,
            add unique key tidegate_domain_key (lease, name),
            add key tidegate_domain_watched (lease, watched);
    end if;
    if not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_failed' and column_name = 'reason') then
        alter table tidegate_failed add column reason varbinary(3000) not null default '';
    end if;
    if not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_schema' and column_name = 'component') then
        alter table tidegate_schema
            add column component varchar(20) not null default 'lease' first, drop primary key, add primary key (component, version);
    end if;
    -- not if the table is already gone: an earlier run failed before it created the new one
    if exists (select 1 from information_schema.tables where table_schema = database() and table_name = 'tidegate_processed')
        and not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_processed' and column_name = 'packed') then
        update tidegate_domain set highest = run_last where highest is null;
        update tidegate_domain d join (
                select domain_id, max(last_offset) as greatest_offset from tidegate_processed group by domain_id) p on p.domain_id = d.id
            set highest = greatest_offset where highest is null or greatest_offset > highest;
        update tidegate_domain d join (
                select domain_id, max(work_offset) as greatest_offset from tidegate_failed group by domain_id) f on f.domain_id = d.id
            set highest = greatest_offset where highest is null or greatest_offset > highest;
        -- lease_procedures.sql packs the rows of this table
        rename table tidegate_processed to tidegate_processed_v1;
    end if;
end$$

delimiter ;

call tidegate_upgrade();
drop procedure tidegate_upgrade;

create table if not exists tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    tail_offset bigint not null,
    packed varbinary(1000) not null,
    primary key (domain_id, first_offset)
) engine = InnoDB;
