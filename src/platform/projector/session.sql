-- name: noticeDeadPeer
-- Lets the server see within about 15 s that this session's client is gone without a word, and free its locks.
SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '3', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '15000', false)

-- name: readByIndex
-- As those of a pool do (postgres-timeouts.ts), also where a pooler keeps the pool's sessions from being set.
SELECT set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)

-- name: endWhenIdle
-- $1 milliseconds. A process that is frozen keeps its connection; the server ends a session that sends no statement for so
-- long, in a transaction or between two, and frees its locks.
SELECT set_config('idle_session_timeout', $1, false), set_config('idle_in_transaction_session_timeout', $1, false)

-- name: touch
-- Keeps the session from being idle.
SELECT 1

-- name: tryLock
-- $1 lock. It lives as long as its connection: when the holder dies, another process takes over.
SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held
