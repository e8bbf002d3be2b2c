-- Tidegate work lease for PostgreSQL, version 3: the tables, for a schema without them. lease_functions.sql comes after
-- it. Run both scripts once, in the schema that the application's connections have first in their search_path, as one
-- transaction.

-- The installed version of each component.
create table tidegate_schema (
    component text not null,
    version int not null,
    applied_at timestamptz not null default clock_timestamp(),
    primary key (component, version)
);

-- The fences, which a resource compares. The deletion of a domain does not reset them. There is no cache, so a fence
-- that is drawn later is greater.
create sequence tidegate_fence as bigint cache 1 no cycle;

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of the domain updates it.
create table tidegate_domain (
    id bigint not null generated always as identity primary key,
    -- the name of the lease to which the domain belongs; both names are compared by their bytes: whatever the sort
    -- order of the database, two names stay different, and the index survives new versions of that order
    lease text collate "C" not null,
    name text collate "C" not null,
    -- the lease: all columns null, or none. A released offset has only lease_offset, acquired_at and retry_count: it is
    -- the head
    lease_offset bigint,
    -- the token is the fence, a dot and the secret: so an update need not know the fence that it draws
    secret text,
    fence bigint,
    owner text,
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- the retry_count at the time when this token was given
    retries_before int,
    -- the number of its rows in tidegate_backlog
    waiting bigint not null default 0,
    -- the place of the last head that was taken: the search for the next head begins after it, and so skips rows that
    -- are deleted but not yet vacuumed
    taken_place bigint not null default 0,
    -- all offsets up to here are processed, unless they are open or failed
    forgotten bigint,
    -- the run of processed offsets that grew last; others are in tidegate_processed
    run_first bigint,
    run_last bigint,
    processed_count bigint not null default 0,
    -- the greatest offset that ever ended: beyond it, and beyond what is forgotten, nothing is processed or failed
    highest bigint,
    -- the last finish that ended a lease, so that a repeated call gets the same answer
    last_token text,
    last_code text,
    last_number bigint,
    changed_at timestamptz not null default clock_timestamp(),
    -- when the domain may need an owner: never later than it has work and no owner; null if there is no work. An
    -- ordinary acquisition and its end leave it as it is, so that no index changes; a listing of pending domains
    -- corrects it
    look_at bigint,
    unique (lease, name)
) with (fillfactor = 50);

create index tidegate_domain_watched on tidegate_domain (lease, name) where look_at is not null;

create table tidegate_backlog (
    domain_id bigint not null,
    work_offset bigint not null,
    place bigint not null generated always as identity,
    primary key (domain_id, work_offset),
    unique (domain_id, place)
);

-- Runs of processed offsets, some hundred in a row. Rows do not overlap: first_offset is where the first run begins,
-- last_offset where the last one ends.
create table tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    -- where the last run begins
    tail_offset bigint not null,
    -- the runs before the last one, in the format that lease_functions.sql describes
    packed bytea not null,
    primary key (domain_id, first_offset)
) with (fillfactor = 90);

create table tidegate_failed (
    domain_id bigint not null,
    work_offset bigint not null,
    retry_count int not null,
    failed_at timestamptz not null default clock_timestamp(),
    reason text not null default '',
    primary key (domain_id, work_offset)
);

create index tidegate_failed_at on tidegate_failed (failed_at);
