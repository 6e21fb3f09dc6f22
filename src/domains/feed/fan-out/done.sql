-- name: doneUpTo
-- $1 a position at and below which every fan-out is known to be finished; finished ones below it are skipped.
-- Out: the log position at and below which every fan-out is finished, and how far their projector has come.
-- not null: done, noted
SELECT least(position.noted, (SELECT min(position) - 1 FROM fanouts WHERE completed_at IS NULL AND position > $1)) AS done,
  position.noted
FROM (SELECT coalesce(projector_position('feed-fan-out'), 0) AS noted) position

-- name: forget
-- $1 posts of before this id, $2 at most. Ids contain the time: the oldest fan-outs come first in the primary key.
DELETE FROM fanouts WHERE post_id = ANY (ARRAY(
  SELECT post_id FROM fanouts WHERE post_id < $1 AND completed_at IS NOT NULL ORDER BY post_id LIMIT $2))
