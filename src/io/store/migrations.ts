/**
 * The database's history: migration k brings `user_version` from k to k+1. A migration that has been
 * released is never changed.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    unit TEXT NOT NULL,
    status TEXT NOT NULL,
    exit_code INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    end_reason TEXT,
    is_failure INTEGER NOT NULL DEFAULT 0,
    retry_attempt INTEGER NOT NULL DEFAULT 0,
    retry_of TEXT,
    instance INTEGER NOT NULL DEFAULT 0,
    params TEXT,
    error TEXT,
    peak_memory_bytes INTEGER,
    cpu_time_ms INTEGER,
    pid INTEGER,
    start_ticks TEXT,
    boot_id TEXT,
    deleted_at INTEGER
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_unit ON runs (unit, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_active ON runs (status, id) WHERE status <> 'ended';
  CREATE INDEX runs_deleted ON runs (deleted_at) WHERE deleted_at IS NOT NULL;

  -- What the scheduler must remember of a unit, whatever retention does to its runs.
  CREATE TABLE schedules (
    unit TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    anchor INTEGER NOT NULL,
    handled INTEGER NOT NULL,
    paused_at INTEGER
  ) STRICT, WITHOUT ROWID;

  -- Retries that are due at some time to come.
  CREATE TABLE retries (
    of_run TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    unit TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    trigger TEXT NOT NULL,
    params TEXT,
    PRIMARY KEY (of_run, attempt)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Sessions that ended by logout; a row is dropped once the session would have ended anyway.
  CREATE TABLE revoked_sessions (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  -- The machine's load by minute; "at" is Unix seconds, sizes are bytes.
  CREATE TABLE system_minutes (
    at INTEGER PRIMARY KEY,
    cpu REAL NOT NULL,
    mem REAL NOT NULL,
    mem_total INTEGER NOT NULL,
    mem_used INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Each list that a page can ask for has its index, and its total is a sum over run_counts instead of a count.
  CREATE INDEX runs_by_state ON runs (status, end_reason, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_exit ON runs (exit_code, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_trigger ON runs (trigger, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_start ON runs (started_at, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_start_up ON runs (started_at IS NULL, started_at, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_duration ON runs (ended_at - started_at, created_at, id) WHERE deleted_at IS NULL;
  CREATE INDEX runs_by_duration_up ON runs (ended_at - started_at IS NULL, ended_at - started_at, created_at, id)
    WHERE deleted_at IS NULL;
  CREATE INDEX runs_failed ON runs (created_at, id) WHERE deleted_at IS NULL AND is_failure = 1;
  CREATE INDEX runs_retried ON runs (created_at, id) WHERE deleted_at IS NULL AND retry_attempt > 0;

  -- How many runs (deleted ones left out) are alike in all that a filter asks for, but for their times.
  CREATE TABLE run_counts (
    unit TEXT NOT NULL,
    status TEXT NOT NULL,
    end_reason TEXT NOT NULL,
    trigger TEXT NOT NULL,
    is_failure INTEGER NOT NULL,
    retried INTEGER NOT NULL,
    exit_code INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (unit, status, end_reason, trigger, is_failure, retried, exit_code)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO run_counts
    SELECT unit, status, coalesce(end_reason, ''), trigger, is_failure, retry_attempt > 0, exit_code, count(*)
    FROM runs WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7;
  CREATE TRIGGER runs_counted_in AFTER INSERT ON runs WHEN NEW.deleted_at IS NULL BEGIN
    INSERT INTO run_counts VALUES (NEW.unit, NEW.status, coalesce(NEW.end_reason, ''), NEW.trigger,
      NEW.is_failure, NEW.retry_attempt > 0, NEW.exit_code, 1) ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER runs_counted_out AFTER DELETE ON runs WHEN OLD.deleted_at IS NULL BEGIN
    UPDATE run_counts SET n = n - 1 WHERE unit = OLD.unit AND status = OLD.status
      AND end_reason = coalesce(OLD.end_reason, '') AND trigger = OLD.trigger AND is_failure = OLD.is_failure
      AND retried = (OLD.retry_attempt > 0) AND exit_code = OLD.exit_code;
  END;
  CREATE TRIGGER runs_counted_anew AFTER UPDATE OF status, end_reason, is_failure, exit_code, deleted_at ON runs BEGIN
    UPDATE run_counts SET n = n - 1 WHERE OLD.deleted_at IS NULL AND unit = OLD.unit AND status = OLD.status
      AND end_reason = coalesce(OLD.end_reason, '') AND trigger = OLD.trigger AND is_failure = OLD.is_failure
      AND retried = (OLD.retry_attempt > 0) AND exit_code = OLD.exit_code;
    INSERT INTO run_counts SELECT NEW.unit, NEW.status, coalesce(NEW.end_reason, ''), NEW.trigger,
      NEW.is_failure, NEW.retry_attempt > 0, NEW.exit_code, 1 WHERE NEW.deleted_at IS NULL
      ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  `,
  `
  -- The bell. Times are Unix ms; "occurrences" is a JSON array of them, newest first.
  CREATE TABLE notices (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    kind TEXT NOT NULL,
    severity TEXT NOT NULL,
    unit TEXT NOT NULL,
    run_id TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    count INTEGER NOT NULL,
    occurrences TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    read_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX notices_by_fingerprint ON notices (fingerprint, created_at, id);
  CREATE INDEX notices_by_time ON notices (last_at);
  CREATE INDEX notices_unread ON notices (id) WHERE read_at IS NULL;
  `,
  `
  -- How much each run's log takes on the disk, bytes, and the sum of all.
  ALTER TABLE runs ADD COLUMN log_bytes INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX runs_with_logs ON runs (created_at, id) WHERE log_bytes > 0 AND deleted_at IS NULL;
  CREATE TABLE log_total (bytes INTEGER NOT NULL) STRICT;
  INSERT INTO log_total VALUES (0);
  CREATE TRIGGER log_grown AFTER UPDATE OF log_bytes ON runs WHEN NEW.log_bytes <> OLD.log_bytes BEGIN
    UPDATE log_total SET bytes = bytes + NEW.log_bytes - OLD.log_bytes;
  END;
  CREATE TRIGGER log_gone AFTER DELETE ON runs WHEN OLD.log_bytes > 0 BEGIN
    UPDATE log_total SET bytes = bytes - OLD.log_bytes;
  END;
  `,
  `
  -- Messages to notifiers and dead man's switches: what waits to be sent, and for a while what doesn't any more.
  CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    channel TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    content TEXT NOT NULL,
    window_at INTEGER NOT NULL,
    count INTEGER NOT NULL,
    is_summary INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    first_tried_at INTEGER,
    attempts INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting',
    settled_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deliveries_alike ON deliveries (channel, fingerprint, id);
  CREATE INDEX deliveries_waiting ON deliveries (channel, due_at, id) WHERE state = 'waiting';
  CREATE INDEX deliveries_settled ON deliveries (settled_at) WHERE state <> 'waiting';

  -- Failures of which nobody has been told yet: they come in with the end of their run, and go with their notice.
  CREATE TABLE untold (run_id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TRIGGER failure_untold AFTER UPDATE OF status ON runs
    WHEN NEW.status = 'ended' AND OLD.status <> 'ended' AND NEW.is_failure = 1 BEGIN
    INSERT OR IGNORE INTO untold VALUES (NEW.id);
  END;
  CREATE TRIGGER failure_born_untold AFTER INSERT ON runs WHEN NEW.status = 'ended' AND NEW.is_failure = 1 BEGIN
    INSERT OR IGNORE INTO untold VALUES (NEW.id);
  END;
  CREATE TRIGGER untold_gone AFTER DELETE ON runs WHEN OLD.is_failure = 1 BEGIN
    DELETE FROM untold WHERE run_id = OLD.id;
  END;

  -- Tasks that must succeed every so often: since when that is watched, and for which success that stayed away a
  -- notice was given last (the time it was due).
  CREATE TABLE expectations (
    unit TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    told_for INTEGER
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Containers that runs have asked for, until each is known to be gone.
  CREATE TABLE containers (
    run_id TEXT PRIMARY KEY,
    unit TEXT NOT NULL,
    instance INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What a run is known by that may outlive its daemon, and how its machines stand (JSON, nothing secret); both go with
  -- its end. When a later daemon took it over (Unix ms).
  ALTER TABLE runs ADD COLUMN nonce TEXT;
  ALTER TABLE runs ADD COLUMN kept TEXT;
  ALTER TABLE runs ADD COLUMN adopted_at INTEGER;
  `,
];
