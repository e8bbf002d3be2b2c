-- Tidegate work lease for H2, version 3, for a schema without its tables. Run it in the schema that the application's
-- connections use. H2 does not undo changes of tables, so everything is created only if it does not exist: if the
-- script fails in the middle, or somebody else runs it at the same time, run it again.

-- The installed version of each component.
create table if not exists tidegate_schema (
    component varchar default 'lease' not null,
    version int not null,
    applied_at timestamp with time zone default current_timestamp not null,
    constraint tidegate_schema_key primary key (component, version)
);

-- The greatest fence of all deleted domains: new domains continue from there. It is no sequence: without a cache, each
-- number would be a separate transaction for which all others wait; with a cache, a crash could give a number out
-- again.
create table if not exists tidegate_fence (
    fence bigint not null primary key
);

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of the domain updates it.
create table if not exists tidegate_domain (
    id bigint generated always as identity (no cache) primary key,
    -- the name of the lease to which the domain belongs; both names are in UTF-8, so that no setting treats two names
    -- as one
    lease varbinary(300) not null,
    name varbinary(2000) not null,
    -- the lease: all columns null, or none. A released offset has lease_offset, acquired_at and retry_count, and no
    -- token: it is the head
    lease_offset bigint,
    token varchar,
    fence bigint,
    owner varchar,
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- the retry_count at the time when this token was given
    retries_before int,
    -- the number of its rows in tidegate_backlog
    waiting bigint default 0 not null,
    -- the place of the offset that was enqueued last
    last_place bigint default 0 not null,
    -- the last fence that was given out, which a resource compares
    last_fence bigint,
    -- all offsets up to here are processed, unless they are open or failed
    forgotten bigint,
    -- the run of processed offsets that grew last; others are in tidegate_processed
    run_first bigint,
    run_last bigint,
    processed_count bigint default 0 not null,
    -- the greatest offset that ever ended: beyond it, and beyond what is forgotten, nothing is processed or failed
    highest bigint,
    -- the last finish that ended a lease, so that a repeated call gets the same answer
    last_token varchar,
    last_code varchar,
    last_number bigint,
    changed_at timestamp with time zone default current_timestamp not null,
    -- when the domain may need an owner: never later than it has work and no owner; null if there is no work. An
    -- ordinary acquisition and its end leave it as it is; a listing of pending domains corrects it
    look_at bigint,
    -- the name, while look_at is set, for the index
    watched varbinary(2000) generated always as (case when look_at is null then null else name end),
    constraint tidegate_domain_key unique (lease, name)
);

create index if not exists tidegate_domain_watched on tidegate_domain (lease, watched);

create table if not exists tidegate_backlog (
    domain_id bigint not null,
    place bigint not null,
    work_offset bigint not null,
    primary key (domain_id, place),
    unique (domain_id, work_offset)
);

-- Runs of processed offsets, some hundred in a row. Rows do not overlap: first_offset is where the first run begins,
-- last_offset where the last one ends.
create table if not exists tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    -- where the last run begins
    tail_offset bigint not null,
    -- the runs before the last one, in the format of the class PackedRuns
    packed varbinary(1000) default x'' not null,
    primary key (domain_id, first_offset)
);

create table if not exists tidegate_failed (
    domain_id bigint not null,
    work_offset bigint not null,
    retry_count int not null,
    failed_at timestamp with time zone default current_timestamp not null,
    reason varchar,
    primary key (domain_id, work_offset)
);

create index if not exists tidegate_failed_at on tidegate_failed (failed_at);

merge into tidegate_schema (component, version) key (component, version) values ('lease', 3);
