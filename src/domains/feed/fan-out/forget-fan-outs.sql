-- name: forget
-- $1 posts of before this id, $2 at most. Ids contain the time: the oldest fan-outs come first in the primary key.
DELETE FROM fanouts WHERE post_id = ANY (ARRAY(
  SELECT post_id FROM fanouts WHERE post_id < $1 AND completed_at IS NOT NULL ORDER BY post_id LIMIT $2))
