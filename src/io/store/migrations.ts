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
];
