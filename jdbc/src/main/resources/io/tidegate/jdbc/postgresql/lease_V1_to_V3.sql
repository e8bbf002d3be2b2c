-- Tidegate work lease for PostgreSQL, from version 1 to 3: leases get a name, and processed offsets are packed.
-- lease_functions.sql comes after it. Stop the processes first. Run both scripts once, as one transaction, which begins
-- with the name of the lease to which all rows of the tables belong:
--
-- set local tidegate.name = 'orders';

alter table tidegate_schema add column component text not null default 'cluster';
update tidegate_schema set component = 'lease' where version = 1;
alter table tidegate_schema alter column component drop default, drop constraint tidegate_schema_pkey, add primary key (component, version);

drop function
    tidegate_locked, tidegate_locked_or_new, tidegate_is_processed, tidegate_head, tidegate_grant, tidegate_free, tidegate_add_failed,
    tidegate_add_processed, tidegate_look, tidegate_try_acquire_with_care, tidegate_try_acquire, tidegate_succeed_with_care,
    tidegate_succeed, tidegate_fail, tidegate_renew, tidegate_forget, tidegate_replay, tidegate_try_acquire_all, tidegate_succeed_all,
    tidegate_delete_idle, tidegate_forget_failure, tidegate_delete_failed;
drop type tidegate_answer;

alter table tidegate_domain add column lease text collate "C", add column look_at bigint;
update tidegate_domain set
    lease = nullif(current_setting('tidegate.name', true), ''),
    look_at = case when secret is not null or waiting > 0 then 0 end;
alter table tidegate_domain drop column token;
-- refused if there is work but no name
alter table tidegate_domain alter column lease set not null, drop constraint tidegate_domain_name_key, add unique (lease, name);
create index tidegate_domain_watched on tidegate_domain (lease, name) where look_at is not null;

alter table tidegate_failed add column reason text not null default '';

-- lease_functions.sql packs the rows of this table
alter table tidegate_processed rename to tidegate_processed_v1;
alter index tidegate_processed_pkey rename to tidegate_processed_v1_pkey;
create table tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    tail_offset bigint not null,
    packed bytea not null,
    primary key (domain_id, first_offset)
) with (fillfactor = 90);
