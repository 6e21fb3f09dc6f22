-- name: doneUpTo
-- $1 a position at and below which every fan-out is known to be finished; finished ones below it are skipped.
-- Out: the log position at and below which every fan-out is finished, and how far their projector has come.
-- not null: done, noted
SELECT least(position.noted, (SELECT min(position) - 1 FROM fanouts WHERE completed_at IS NULL AND position > $1)) AS done,
  position.noted
FROM (SELECT coalesce(projector_position('feed-fan-out'), 0) AS noted) position
