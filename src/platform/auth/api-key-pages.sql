-- name: forward
-- Newest first, older than the cursor; never a hash.
-- In: $1 and $2 the cursor's instant and key id, $3 at most so many
-- not null: roles
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, name, created_at AS "createdAt", created_by AS "createdBy",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", revoked_by AS "revokedBy"
FROM api_keys WHERE (created_at, api_key_id) < ($1::timestamptz, $2::varchar)
ORDER BY created_at DESC, api_key_id DESC LIMIT $3;

-- name: backward
-- The same, newer than the cursor, the nearest first.
-- not null: roles
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, name, created_at AS "createdAt", created_by AS "createdBy",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", revoked_by AS "revokedBy"
FROM api_keys WHERE (created_at, api_key_id) > ($1::timestamptz, $2::varchar)
ORDER BY created_at, api_key_id LIMIT $3;

-- name: ofUserForward
-- A user's, newest first, older than the cursor.
-- In: $1 and $2 the cursor's instant and key id, $3 at most so many, $4 user
-- not null: roles
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, name, created_at AS "createdAt", created_by AS "createdBy",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", revoked_by AS "revokedBy"
FROM api_keys WHERE user_id = $4 AND (created_at, api_key_id) < ($1::timestamptz, $2::varchar)
ORDER BY created_at DESC, api_key_id DESC LIMIT $3;

-- name: ofUserBackward
-- The same, newer than the cursor, the nearest first.
-- not null: roles
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, name, created_at AS "createdAt", created_by AS "createdBy",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", revoked_by AS "revokedBy"
FROM api_keys WHERE user_id = $4 AND (created_at, api_key_id) > ($1::timestamptz, $2::varchar)
ORDER BY created_at, api_key_id LIMIT $3;

-- name: byId
-- In: $1 key id
-- not null: roles
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, name, created_at AS "createdAt", created_by AS "createdBy",
  last_used_at AS "lastUsedAt", revoked_at AS "revokedAt", revoked_by AS "revokedBy"
FROM api_keys WHERE api_key_id = $1;
