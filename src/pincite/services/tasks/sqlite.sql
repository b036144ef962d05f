-- Every statement of the task table, each after its name and a description. `statements.py` reads this file
-- once when the table is opened.

-- name: schema
-- The table is the queue: a task waits while its status is `queued`, and while it is `running` under a lease that has
-- run out. `fence` counts claims, `attempts` those that were not given back. `announce_at` is when a webhook is next told
-- of a finished task, null once it was. Times are seconds since the epoch.
CREATE TABLE task (
    id TEXT PRIMARY KEY,
    status TEXT NOT NULL,
    file_name TEXT NOT NULL,
    extension TEXT NOT NULL,
    schema TEXT NOT NULL,
    engine TEXT NOT NULL,
    strict INTEGER NOT NULL DEFAULT 1,
    min_confidence REAL NOT NULL DEFAULT 0,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    fence INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    lease_until REAL NOT NULL DEFAULT 0,
    progress TEXT,
    error TEXT,
    result TEXT,
    announce_at REAL,
    announcements INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX task_open ON task (id) WHERE status IN ('queued', 'running');
CREATE INDEX task_status ON task (status, id);
CREATE INDEX task_announcement ON task (announce_at) WHERE announce_at IS NOT NULL;

-- name: upgrade
-- What version 1 had not.
ALTER TABLE task ADD COLUMN strict INTEGER NOT NULL DEFAULT 1;
ALTER TABLE task ADD COLUMN min_confidence REAL NOT NULL DEFAULT 0;

-- name: insert
INSERT INTO task (id, status, file_name, extension, schema, engine, strict, min_confidence, created_at, updated_at)
VALUES (:id, 'queued', :file_name, :extension, :schema, :engine, :strict, :min_confidence, :now, :now)

-- name: waiting
-- The oldest task to be claimed. A lease that ends later than one that begins now was written before the clock was set
-- back.
SELECT id, attempts FROM task
WHERE status = 'queued'
   OR (status = 'running' AND (lease_until <= :now OR lease_until > :now + 2 * :lease))
ORDER BY id LIMIT 1

-- name: claim
UPDATE task SET status = 'running', fence = fence + 1, attempts = attempts + 1, lease_until = :now + :lease,
    version = version + 1, updated_at = :now, progress = NULL
WHERE id = :id

-- name: fence
SELECT fence FROM task WHERE id = :id

-- name: beat
UPDATE task SET lease_until = :now + :lease
WHERE id = :id AND fence = :fence AND status = 'running'

-- name: progress
UPDATE task SET lease_until = :now + :lease, progress = :progress, version = version + 1, updated_at = :now
WHERE id = :id AND fence = :fence AND status = 'running'

-- name: finish
UPDATE task SET status = :status, result = :result, error = :error, announce_at = :announce_at,
    version = version + 1, updated_at = :now
WHERE id = :id AND fence = :fence AND status = 'running'

-- name: give_back
-- An attempt that was given back does not count.
UPDATE task SET status = 'queued', attempts = attempts - 1, progress = NULL, version = version + 1, updated_at = :now
WHERE id = :id AND fence = :fence AND status = 'running'

-- name: fail_unclaimed
UPDATE task SET status = 'failed', error = :error, announce_at = :announce_at, version = version + 1,
    updated_at = :now
WHERE id = :id

-- name: cancel
UPDATE task SET status = 'cancelled', progress = NULL, announce_at = :announce_at,
    version = version + 1, updated_at = :now
WHERE id = :id AND status IN ('queued', 'running')

-- name: get
SELECT id, file_name, extension, schema, engine, strict, min_confidence, status, created_at, updated_at, version,
    attempts, progress, error
FROM task WHERE id = :id

-- name: result
SELECT result FROM task WHERE id = :id AND status = 'succeeded'

-- name: amend
UPDATE task SET result = :result, version = version + 1, updated_at = :now
WHERE id = :id AND status = 'succeeded' AND result = :before

-- name: page
-- The schema may be large and is not shown in a list.
SELECT id, file_name, extension, '' AS schema, engine, strict, min_confidence, status, created_at, updated_at, version,
    attempts, progress, error
FROM task
WHERE id < coalesce(:before, '~') AND (:status IS NULL OR status = :status)
ORDER BY id DESC LIMIT :limit

-- name: alike
SELECT id, file_name, extension, '' AS schema, engine, strict, min_confidence, status, created_at, updated_at, version,
    attempts, progress, error
FROM task WHERE schema = (SELECT schema FROM task WHERE id = :id) ORDER BY id DESC LIMIT :limit

-- name: count
SELECT count(*) FROM task WHERE :status IS NULL OR status = :status

-- name: erase
DELETE FROM task WHERE id = :id

-- name: announcement
-- The finished task that a webhook is to be told of next.
SELECT id, announcements FROM task WHERE announce_at <= :now ORDER BY announce_at LIMIT 1

-- name: announce_later
UPDATE task SET announce_at = :at, announcements = announcements + 1 WHERE id = :id
