-- Tidegate work lease for H2, version 3, where there are no tables.
-- Run it in the schema that the application's connections have. Changes of tables are not undone here, so everything is created only if it is not
-- there: after a failure in the middle, or beside somebody else who runs it, run it again.

-- What is there of each component.
create table if not exists tidegate_schema (
    component varchar default 'lease' not null,
    version int not null,
    applied_at timestamp with time zone default current_timestamp not null,
    constraint tidegate_schema_key primary key (component, version)
);

-- The greatest fence of the domains that were deleted: new ones count on from there. It is no sequence: without a cache each number would be a
-- transaction of its own for which all others wait, and with one a crash could give a number out again.
create table if not exists tidegate_fence (
    fence bigint not null primary key
);

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of the domain updates it.
create table if not exists tidegate_domain (
    id bigint generated always as identity (no cache) primary key,
    -- of which lease it is a domain; both names in UTF-8: no setting takes two names for one
    lease varbinary(300) not null,
    name varbinary(2000) not null,
    -- the lease: all null, or none. An offset that was released has lease_offset, acquired_at and retry_count, and no token: it is the head
    lease_offset bigint,
    token varchar,
    fence bigint,
    owner varchar,
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- what retry_count was when this token was given
    retries_before int,
    -- how many rows of tidegate_backlog it has
    waiting bigint default 0 not null,
    -- the place of the last one that was enqueued
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
    -- the last finish that ended a lease, so that it can be answered again
    last_token varchar,
    last_code varchar,
    last_number bigint,
    changed_at timestamp with time zone default current_timestamp not null,
    -- when somebody may have to look after it: never later than there is work and nobody on it; null if there is no work. An ordinary
    -- acquisition and its end leave it as it is; whoever lists what is pending corrects it
    look_at bigint,
    -- the name while there is a time to look, for the index
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
    -- the runs before the last one, see PackedRuns
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
