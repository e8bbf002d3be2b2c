-- Tidegate work lease for H2, from version 2 to 3: a domain records its greatest offset. Stop the processes first. If
-- the script fails in the middle, or somebody else runs it at the same time, run it again.

alter table tidegate_domain add column if not exists highest bigint;

update tidegate_domain set highest = run_last where highest is null;
update tidegate_domain d set highest = (select max(last_offset) from tidegate_processed p where p.domain_id = d.id)
where exists (select 1 from tidegate_processed p where p.domain_id = d.id and (d.highest is null or p.last_offset > d.highest));
update tidegate_domain d set highest = (select max(work_offset) from tidegate_failed f where f.domain_id = d.id)
where exists (select 1 from tidegate_failed f where f.domain_id = d.id and (d.highest is null or f.work_offset > d.highest));

merge into tidegate_schema (component, version) key (component, version) values ('lease', 3);
