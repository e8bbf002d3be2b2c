-- Tidegate work lease for MariaDB and MySQL, version 3: the tables, for a database without them. lease_procedures.sql
-- comes after it. Run both in the application's database with the command-line client, which understands the command
-- delimiter. Changes of tables cannot be undone here, so everything is created only if it does not exist: if the script
-- fails in the middle, run it again.

-- The installed version of each component.
create table if not exists tidegate_schema (
    component varchar(20) not null default 'lease',
    version int not null,
    applied_at timestamp not null default current_timestamp,
    primary key (component, version)
) engine = InnoDB;

-- The first fence of each new domain, which counts on from it by itself. A fence is drawn by inserting a row, which is
-- deleted again: that does not reset the counter. The deletion of a domain raises the counter. It is no sequence
-- because MySQL has none.
create table if not exists tidegate_fence (
    fence bigint not null auto_increment primary key
) engine = InnoDB;

-- A row for each domain, with its lease. It is locked before anything else of the domain is read, and every change of
-- the domain updates it. Texts are bytes, so that no collation treats two names or tokens as one. Times are
-- milliseconds of UTC, so that no time zone has one of them twice.
create table if not exists tidegate_domain (
    id bigint not null auto_increment primary key,
    -- the name of the lease to which the domain belongs
    lease varbinary(300) not null,
    name varbinary(2000) not null,
    -- the lease: all columns null, or none. A released offset has lease_offset, acquired_at and retry_count, and no
    -- token: it is the head
    lease_offset bigint,
    token varbinary(100),
    fence bigint,
    owner varbinary(2000),
    acquired_at bigint,
    lease_until bigint,
    retry_count int,
    -- the retry_count at the time when this token was given
    retries_before int,
    -- the number of its rows in tidegate_backlog
    waiting bigint not null default 0,
    -- the place of the offset that was enqueued last
    last_place bigint not null default 0,
    -- the place of the last head that was taken: the search for the next head begins after it, and so skips rows that
    -- are deleted but not yet purged
    taken_place bigint not null default 0,
    -- all offsets up to here are processed, unless they are open or failed
    forgotten bigint,
    -- the run of processed offsets that grew last; others are in tidegate_processed
    run_first bigint,
    run_last bigint,
    processed_count bigint not null default 0,
    -- the greatest offset that ever ended: beyond it, and beyond what is forgotten, nothing is processed or failed
    highest bigint,
    -- the last fence that was given out, which a resource compares
    last_fence bigint,
    -- the last finish that ended a lease, so that a repeated call gets the same answer
    last_token varbinary(100),
    last_code varchar(20),
    last_number bigint,
    changed_at bigint not null,
    -- when the domain may need an owner: never later than it has work and no owner; null if there is no work. An
    -- ordinary acquisition and its end leave it as it is, so that no index changes; a listing of pending domains
    -- corrects it
    look_at bigint,
    -- the name, while look_at is set, for the index
    watched varbinary(2000) generated always as (if(look_at is null, null, name)) virtual,
    unique key tidegate_domain_key (lease, name),
    key tidegate_domain_watched (lease, watched)
) engine = InnoDB, row_format = dynamic;

create table if not exists tidegate_backlog (
    domain_id bigint not null,
    place bigint not null,
    work_offset bigint not null,
    primary key (domain_id, place),
    unique (domain_id, work_offset)
) engine = InnoDB;

-- Runs of processed offsets, some hundred in a row. Rows do not overlap: first_offset is where the first run begins,
-- last_offset where the last one ends.
create table if not exists tidegate_processed (
    domain_id bigint not null,
    first_offset bigint not null,
    last_offset bigint not null,
    -- where the last run begins
    tail_offset bigint not null,
    -- the runs before the last one, in the format that lease_procedures.sql describes
    packed varbinary(1000) not null,
    primary key (domain_id, first_offset)
) engine = InnoDB;

create table if not exists tidegate_failed (
    domain_id bigint not null,
    work_offset bigint not null,
    retry_count int not null,
    failed_at bigint not null,
    reason varbinary(3000) not null default '',
    primary key (domain_id, work_offset),
    key (failed_at)
) engine = InnoDB;
