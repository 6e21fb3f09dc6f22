-- name: insertApiKey
-- In: $1 key id, $2 hash of its secret, $3 user, $4 roles, $5 plan, $6 now, $7 its name or NULL, $8 the admin who made it or NULL
INSERT INTO api_keys (api_key_id, hash, user_id, roles, plan, created_at, name, created_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: findApiKey
-- In: $1 key id. Out: the key, unless it was revoked.
-- not null: roles
SELECT hash, user_id AS "userId", roles, plan FROM api_keys WHERE api_key_id = $1 AND revoked_at IS NULL;

-- name: listApiKeys
-- In: $1 user, or null for everybody. Out: their keys, revoked ones too, oldest first; never a hash.
-- not null: roles
-- type: roles = readonly import('./auth.js').Role[]
SELECT api_key_id AS "apiKeyId", user_id AS "userId", roles, plan, created_at AS "createdAt", revoked_at AS "revokedAt"
FROM api_keys WHERE $1::varchar IS NULL OR user_id = $1 ORDER BY created_at, api_key_id;

-- name: revokeApiKey
-- In: $1 key id, $2 now, $3 the admin or NULL. Out: one row where there is such a key; a second time changes nothing.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2), revoked_by = CASE WHEN revoked_at IS NULL THEN $3 ELSE revoked_by END
WHERE api_key_id = $1 RETURNING api_key_id;

-- name: noteUse
-- In: $1 key id, $2 now. Written every five minutes at most.
UPDATE api_keys SET last_used_at = $2
WHERE api_key_id = $1 AND coalesce(last_used_at < $2::timestamptz - interval '5 minutes', true);
