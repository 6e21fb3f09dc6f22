-- name: allTypes
-- type: type = import('./attribute-types.js').AttributeType
SELECT name, type FROM user_attribute_types WHERE deleted_at IS NULL;

-- name: typesOf
-- In: $1 names. Until the transaction ends none of them is deleted: a value that was written later would stay.
-- type: type = import('./attribute-types.js').AttributeType
-- not null: isBeingDeleted
SELECT name, type, deleted_at IS NOT NULL AS "isBeingDeleted" FROM user_attribute_types WHERE name = ANY ($1) ORDER BY name FOR SHARE;

-- name: lockTypes
-- One at a time gives names their types: of two that give one name different types, the second finds the first's.
SELECT pg_advisory_xact_lock(7246021911);

-- name: countTypes
-- In: $1 who made the own ones
-- not null: all, own
SELECT count(*)::int AS "all", count(*) FILTER (WHERE created_by = $1)::int AS own FROM user_attribute_types;

-- name: addTypes
-- In: $1 names that have no type yet, $2 their types, $3 whose they are, $4 now. The caller holds the lock.
INSERT INTO user_attribute_types (name, type, created_by, created_at)
SELECT given.name, given.type, $3, $4 FROM unnest($1::text[], $2::text[]) AS given (name, type);

-- name: addUsers
-- An empty row for each user who has none, in the order in which everybody locks several.
-- In: $1 users, $2 now
INSERT INTO user_attributes (user_id, attributes, updated_at)
SELECT given.user_id, '{}', $2 FROM unnest($1::text[]) AS given (user_id)
WHERE NOT EXISTS (SELECT FROM user_attributes a WHERE a.user_id = given.user_id)
ORDER BY given.user_id
ON CONFLICT (user_id) DO NOTHING;

-- name: lockUsers
-- In: $1 users
-- type: attributes = import('./attributes.js').StoredAttributes
SELECT user_id AS "userId", attributes FROM user_attributes WHERE user_id = ANY ($1) ORDER BY user_id FOR UPDATE;

-- name: putAttributes
-- In: $1 users whose rows are locked, $2 all that each of them has, $3 now
UPDATE user_attributes a SET attributes = given.attributes, updated_at = $3
FROM unnest($1::text[], $2::jsonb[]) AS given (user_id, attributes)
WHERE a.user_id = given.user_id;

-- name: attributesOf
-- Without the values of names that are being deleted.
-- In: $1 a user
-- type: attributes = import('./attributes.js').StoredAttributes
-- not null: attributes
SELECT attributes - ARRAY(SELECT name FROM user_attribute_types WHERE deleted_at IS NOT NULL) AS attributes
FROM user_attributes WHERE user_id = $1;
