-- Tidegate work lease for H2, from version 1 to 3: leases get a name, and processed offsets are packed. Stop the
-- processes first. Before the script, in the same session, set the name of the lease to which all rows of the tables
-- belong:
--
-- set @tidegate_name = 'orders';
--
-- If the script fails in the middle, or somebody else runs it at the same time, run it again.

alter table tidegate_domain add column if not exists lease varbinary(300);
alter table tidegate_domain add column if not exists look_at bigint;
alter table tidegate_domain add column if not exists highest bigint;
alter table tidegate_domain add column if not exists
    watched varbinary(2000) generated always as (case when look_at is null then null else name end);

update tidegate_domain set lease = stringtoutf8(@tidegate_name) where lease is null;
update tidegate_domain set look_at = 0 where look_at is null and (token is not null or waiting > 0);
update tidegate_domain set highest = run_last where highest is null;
update tidegate_domain d set highest = (select max(last_offset) from tidegate_processed p where p.domain_id = d.id)
where exists (select 1 from tidegate_processed p where p.domain_id = d.id and (d.highest is null or p.last_offset > d.highest));
update tidegate_domain d set highest = (select max(work_offset) from tidegate_failed f where f.domain_id = d.id)
where exists (select 1 from tidegate_failed f where f.domain_id = d.id and (d.highest is null or f.work_offset > d.highest));

-- refused if there is work but no name
alter table tidegate_domain alter column lease set not null;
alter table tidegate_domain add constraint if not exists tidegate_domain_key unique (lease, name);
-- the old constraint has no name of ours
execute immediate coalesce(
    (select 'alter table tidegate_domain drop constraint if exists "' || max(constraint_name) || '"'
        from information_schema.table_constraints
        where table_schema = current_schema and lower(table_name) = 'tidegate_domain' and constraint_type = 'UNIQUE'
            and lower(constraint_name) <> 'tidegate_domain_key'),
    'set @tidegate_none = null');
create index if not exists tidegate_domain_watched on tidegate_domain (lease, watched);

alter table tidegate_failed add column if not exists reason varchar;

-- each run becomes a row of its own; only runs that are added later are packed
alter table tidegate_processed add column if not exists tail_offset bigint;
alter table tidegate_processed add column if not exists packed varbinary(1000) default x'' not null;
update tidegate_processed set tail_offset = first_offset where tail_offset is null;
alter table tidegate_processed alter column tail_offset set not null;

alter table tidegate_schema add column if not exists component varchar default 'lease' not null;
execute immediate coalesce(
    (select 'alter table tidegate_schema drop constraint if exists "' || max(constraint_name) || '"'
        from information_schema.table_constraints
        where table_schema = current_schema and lower(table_name) = 'tidegate_schema' and constraint_type = 'PRIMARY KEY'
            and lower(constraint_name) <> 'tidegate_schema_key'),
    'set @tidegate_none = null');
alter table tidegate_schema add constraint if not exists tidegate_schema_key primary key (component, version);
merge into tidegate_schema (component, version) key (component, version) values ('lease', 3);
