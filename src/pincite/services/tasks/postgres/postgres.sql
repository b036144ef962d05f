-- Every statement of the tasks in PostgreSQL, each after its name and a description, in the form that psycopg expects.
-- The clock is the database's: those of servers may differ. Needs PostgreSQL 14, and no extension.

-- name: lock
-- One server at a time creates the tables.
SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))

-- name: schema
-- The table is the queue: a task waits while its status is `queued`, and while it is `running` under a lease that has
-- run out. `fence` counts claims, `attempts` those that were not given back. `announce_at` is when a webhook is next told
-- of a finished task, null once it was. A result is `bytea`, as it may quote what PostgreSQL refuses in `text`. An
-- upload is complete once it has a row; its pieces are numbered from 0.
CREATE TABLE meta (single boolean PRIMARY KEY DEFAULT true CHECK (single), version integer NOT NULL);
CREATE TABLE task (
    id text COLLATE "C" PRIMARY KEY,
    status text NOT NULL DEFAULT 'queued',
    file_name text NOT NULL,
    extension text NOT NULL,
    schema text NOT NULL,
    engine text NOT NULL,
    strict boolean NOT NULL DEFAULT true,
    min_confidence double precision NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    version integer NOT NULL DEFAULT 1,
    fence integer NOT NULL DEFAULT 0,
    attempts integer NOT NULL DEFAULT 0,
    lease_until timestamptz NOT NULL DEFAULT '-infinity',
    progress text,
    error text,
    result bytea,
    announce_at timestamptz,
    announcements integer NOT NULL DEFAULT 0
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX task_open ON task (id) WHERE status IN ('queued', 'running');
CREATE INDEX task_status ON task (status, id);
CREATE INDEX task_announcement ON task (announce_at) WHERE announce_at IS NOT NULL;
CREATE TABLE upload (
    task_id text COLLATE "C" PRIMARY KEY,
    size bigint NOT NULL
);
CREATE TABLE piece (
    task_id text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    data bytea NOT NULL,
    PRIMARY KEY (task_id, number)
);
ALTER TABLE piece ALTER COLUMN data SET STORAGE EXTERNAL;

-- name: upgrade
-- What version 1 had not. Servers of version 1 that still run leave the new columns to their defaults.
ALTER TABLE task ADD COLUMN strict boolean NOT NULL DEFAULT true;
ALTER TABLE task ADD COLUMN min_confidence double precision NOT NULL DEFAULT 0;

-- name: meta
SELECT version FROM meta

-- name: meta_put
INSERT INTO meta (version) VALUES (%s) ON CONFLICT (single) DO UPDATE SET version = excluded.version

-- name: insert
-- Workers are told when the task is committed.
WITH added AS (
    INSERT INTO task (id, file_name, extension, schema, engine, strict, min_confidence)
    VALUES (%(id)s, %(file_name)s, %(extension)s, %(schema)s, %(engine)s, %(strict)s, %(min_confidence)s)
    RETURNING id, created_at, updated_at
)
SELECT extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, pg_notify(%(channel)s, '')
FROM added

-- name: claim
-- The oldest task that waits, as it is then: `running`, or `failed` if it was taken up too often. One that another
-- worker claims at this moment is skipped. A lease that ends later than one that begins now was written before the clock
-- was set back.
WITH due AS (
    SELECT id, attempts >= %(max_attempts)s AS is_spent FROM task
    WHERE status IN ('queued', 'running')
      AND (status = 'queued' OR lease_until <= now() OR lease_until > now() + 2 * %(lease)s::interval)
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE task SET
    status = CASE WHEN is_spent THEN 'failed' ELSE 'running' END,
    error = CASE WHEN is_spent THEN replace(%(spent)s, '{attempts}', attempts::text) END,
    announce_at = CASE WHEN is_spent AND %(announce)s THEN now() END,
    attempts = attempts + CASE WHEN is_spent THEN 0 ELSE 1 END,
    fence = fence + 1, lease_until = now() + %(lease)s::interval, progress = NULL,
    version = version + 1, updated_at = now()
FROM due WHERE task.id = due.id
RETURNING fence, task.id, file_name, extension, schema, engine, strict, min_confidence, status,
    extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, version, attempts, progress, error

-- name: beat
-- A beat without progress is no change of the task.
UPDATE task SET lease_until = now() + %(lease)s::interval,
    progress = coalesce(%(progress)s::text, progress),
    version = version + CASE WHEN %(progress)s::text IS NULL THEN 0 ELSE 1 END,
    updated_at = CASE WHEN %(progress)s::text IS NULL THEN updated_at ELSE now() END
WHERE id = %(id)s AND fence = %(fence)s AND status = 'running'

-- name: finish
UPDATE task SET status = %(status)s, result = %(result)s, error = %(error)s,
    announce_at = CASE WHEN %(announce)s THEN now() END, version = version + 1, updated_at = now()
WHERE id = %(id)s AND fence = %(fence)s AND status = 'running'

-- name: give_back
-- An attempt that was given back does not count.
WITH changed AS (
    UPDATE task SET status = 'queued', attempts = attempts - 1, progress = NULL, version = version + 1,
        updated_at = now()
    WHERE id = %(id)s AND fence = %(fence)s AND status = 'running'
    RETURNING id
)
SELECT pg_notify(%(channel)s, '') FROM changed

-- name: cancel
UPDATE task SET status = 'cancelled', progress = NULL, announce_at = CASE WHEN %(announce)s THEN now() END,
    version = version + 1, updated_at = now()
WHERE id = %(id)s AND status IN ('queued', 'running')

-- name: get
SELECT id, file_name, extension, schema, engine, strict, min_confidence, status,
    extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, version, attempts, progress, error
FROM task WHERE id = %(id)s

-- name: amend
UPDATE task SET result = %(result)s, version = version + 1, updated_at = now()
WHERE id = %(id)s AND status = 'succeeded' AND result = %(before)s

-- name: result
SELECT result FROM task WHERE id = %(id)s AND status = 'succeeded'

-- name: page
-- The schema may be large and is not shown in a list.
SELECT id, file_name, extension, '' AS schema, engine, strict, min_confidence, status,
    extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, version, attempts, progress, error
FROM task
WHERE (%(before)s::text IS NULL OR id < %(before)s) AND (%(status)s::text IS NULL OR status = %(status)s)
ORDER BY id DESC LIMIT %(limit)s

-- name: alike
SELECT id, file_name, extension, '' AS schema, engine, strict, min_confidence, status,
    extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, version, attempts, progress, error
FROM task WHERE schema = (SELECT schema FROM task WHERE id = %(id)s) ORDER BY id DESC LIMIT %(limit)s

-- name: count
SELECT count(*) FROM task WHERE %(status)s::text IS NULL OR status = %(status)s

-- name: erase
DELETE FROM task WHERE id = %(id)s

-- name: announcement
-- The finished task that a webhook is to be told of next; for some time no other server tells it, too.
WITH due AS (
    SELECT id FROM task WHERE announce_at <= now() ORDER BY announce_at LIMIT 1 FOR UPDATE SKIP LOCKED
)
UPDATE task SET announce_at = now() + %(hold)s::interval
FROM due WHERE task.id = due.id
RETURNING announcements, task.id, file_name, extension, schema, engine, strict, min_confidence, status,
    extract(epoch FROM created_at)::float8, extract(epoch FROM updated_at)::float8, version, attempts, progress, error

-- name: announce_later
UPDATE task SET announce_at = now() + %(after)s::interval, announcements = announcements + 1 WHERE id = %(id)s

-- name: piece_put
INSERT INTO piece (task_id, number, data) VALUES (%(id)s, %(number)s, %(data)b)

-- name: piece
SELECT data FROM piece WHERE task_id = %(id)s AND number = %(number)s

-- name: upload_put
INSERT INTO upload (task_id, size) VALUES (%(id)s, %(size)s)

-- name: upload
SELECT size FROM upload WHERE task_id = %(id)s

-- name: upload_erase
WITH gone AS (DELETE FROM upload WHERE task_id = %(id)s)
DELETE FROM piece WHERE task_id = %(id)s

-- name: upload_discard
-- The task of an upload may be stored although its server never learned it.
WITH gone AS (DELETE FROM upload WHERE task_id = %(id)s AND NOT EXISTS (SELECT FROM task WHERE id = %(id)s))
DELETE FROM piece WHERE task_id = %(id)s AND NOT EXISTS (SELECT FROM task WHERE id = %(id)s)

-- name: upload_sweep
WITH abandoned AS (
    SELECT task_id FROM piece GROUP BY task_id
    HAVING max(written_at) < now() - %(age)s::interval
        AND NOT EXISTS (SELECT FROM task WHERE task.id = piece.task_id)
), gone AS (DELETE FROM upload WHERE task_id IN (SELECT task_id FROM abandoned))
DELETE FROM piece WHERE task_id IN (SELECT task_id FROM abandoned)
