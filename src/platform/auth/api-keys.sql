-- name: insertApiKey
-- In: $1 key id, $2 hash of its secret, $3 user, $4 roles, $5 plan, $6 now
INSERT INTO api_keys (api_key_id, hash, user_id, roles, plan, created_at) VALUES ($1, $2, $3, $4, $5, $6);

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
-- In: $1 key id, $2 now. Out: one row where there is such a key; a second time changes nothing.
UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE api_key_id = $1 RETURNING api_key_id;
