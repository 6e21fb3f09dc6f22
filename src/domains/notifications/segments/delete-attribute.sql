-- name: list
-- At most 1,000, by name.
-- type: type = import('./attribute-types.js').AttributeType
SELECT name, type, created_by AS "createdBy", created_at AS "createdAt", deleted_at AS "deletedAt"
FROM user_attribute_types ORDER BY name;

-- name: markDeleted
-- Waits for those who are writing values of it. A second time changes nothing.
-- In: $1 name, $2 now, $3 the admin. Out: a row where there is such a name
UPDATE user_attribute_types
SET deleted_at = coalesce(deleted_at, $2), deleted_by = CASE WHEN deleted_at IS NULL THEN $3 ELSE deleted_by END
WHERE name = $1 RETURNING name;

-- name: nextDeleted
-- The name that was deleted first, with the last user who was looked at for it.
SELECT name, stripped_to AS "strippedTo" FROM user_attribute_types
WHERE deleted_at IS NOT NULL ORDER BY deleted_at, name LIMIT 1;

-- name: strip
-- Removes a name's values of the next users, in the order in which everybody locks several.
-- In: $1 name, $2 the last user who was looked at, $3 how many to look at, $4 now
-- not null: looked
WITH looked AS MATERIALIZED (
  SELECT user_id FROM user_attributes WHERE user_id > $2::varchar ORDER BY user_id LIMIT $3
), held AS MATERIALIZED (
  SELECT a.user_id FROM user_attributes a JOIN looked ON looked.user_id = a.user_id
  WHERE a.attributes ? $1::text ORDER BY a.user_id FOR UPDATE OF a
), stripped AS (
  UPDATE user_attributes a SET attributes = a.attributes - $1::text, updated_at = $4::timestamptz
  FROM held WHERE a.user_id = held.user_id
)
SELECT count(*)::int AS looked, max(user_id) AS last FROM looked;

-- name: noteStripped
-- In: $1 name, $2 the last user who was looked at
UPDATE user_attribute_types SET stripped_to = $2 WHERE name = $1 AND deleted_at IS NOT NULL;

-- name: remove
-- In: $1 name, whose values are gone. From now on it may have another type.
DELETE FROM user_attribute_types WHERE name = $1 AND deleted_at IS NOT NULL;
