-- Tidegate work lease for MariaDB and MySQL, from version 2 to 3: a domain records its greatest offset and counts its
-- fences. lease_procedures.sql comes after it. Stop the processes first. If the script fails in the middle, run it
-- again.

drop procedure if exists tidegate_free;
drop procedure if exists tidegate_enqueue;
drop procedure if exists tidegate_add_failed;
drop procedure if exists tidegate_lock_or_create;
drop procedure if exists tidegate_pack;
drop procedure if exists tidegate_walk;
drop procedure if exists tidegate_find_processed;
drop procedure if exists tidegate_append;
drop procedure if exists tidegate_insert;
drop procedure if exists tidegate_add_run;
drop procedure if exists tidegate_add_processed;
drop procedure if exists tidegate_acquire_one;
drop procedure if exists tidegate_succeed_one;
drop procedure if exists tidegate_fail_one;
drop procedure if exists tidegate_prolong;
drop procedure if exists tidegate_try_acquire;
drop procedure if exists tidegate_succeed;
drop procedure if exists tidegate_fail;
drop procedure if exists tidegate_renew;
drop procedure if exists tidegate_release;
drop procedure if exists tidegate_forget;
drop procedure if exists tidegate_replay;
drop procedure if exists tidegate_try_acquire_all;
drop procedure if exists tidegate_succeed_all;
drop procedure if exists tidegate_renew_all;
drop procedure if exists tidegate_delete_idle;
drop procedure if exists tidegate_forget_failure;
drop procedure if exists tidegate_delete_failed;
drop procedure if exists tidegate_pending;
drop procedure if exists tidegate_remembering;
drop procedure if exists tidegate_inspect;
drop procedure if exists tidegate_backlog_behind;
drop procedure if exists tidegate_failed_work;
drop procedure if exists tidegate_pack_old;
drop procedure if exists tidegate_upgrade;

delimiter $$

-- Each statement makes one change of a table, and only if the change is still missing.
create procedure tidegate_upgrade()
sql security invoker
begin
    if not exists (select 1 from information_schema.columns
            where table_schema = database() and table_name = 'tidegate_domain' and column_name = 'last_fence') then
        alter table tidegate_domain add column highest bigint, add column last_fence bigint;
    end if;
    update tidegate_domain set highest = run_last where highest is null;
    update tidegate_domain d join (
            select domain_id, max(last_offset) as greatest_offset from tidegate_processed group by domain_id) p on p.domain_id = d.id
        set highest = greatest_offset where highest is null or greatest_offset > highest;
    update tidegate_domain d join (
            select domain_id, max(work_offset) as greatest_offset from tidegate_failed group by domain_id) f on f.domain_id = d.id
        set highest = greatest_offset where highest is null or greatest_offset > highest;
end$$

delimiter ;

call tidegate_upgrade();
drop procedure tidegate_upgrade;
