-- The one row is changed every second. Each change gives it another turn, which is part of the key: its newest version stands
-- first, however many older ones vacuum may not remove. A turn that somebody else has changed meanwhile is only ever higher.

-- name: state
SELECT stream_position AS "streamPosition", closed_until AS "closedUntil", settled_until AS "settledUntil",
       days_until AS "daysUntil"
FROM newest_rollup_state();

-- name: moveOn
-- Holds the row until the transaction ends.
-- In: $1 the position of the stream that was read on from, $2 the new one
-- Out: nothing where somebody else has moved on
UPDATE notification_rollup_state SET turn = turn + 1, stream_position = $2
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND stream_position = $1
RETURNING closed_until AS "closedUntil";

-- name: close
-- Holds the row until the transaction ends.
-- In: $1 the first minute that is closed, $2 the first that is not
-- Out: nothing where somebody else has closed it
UPDATE notification_rollup_state SET turn = turn + 1, closed_until = $2
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND closed_until = $1
RETURNING closed_until AS "closedUntil";

-- name: reopen
-- What is said to be over and lies in the future was ended by a machine whose clock is wrong, and so was what came before.
-- In: $1 now, $2 from when on minutes are counted anew
UPDATE notification_rollup_state SET turn = turn + 1, closed_until = $2, settled_until = least(settled_until, $2)
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND closed_until > $1;

-- name: settle
-- As `close`; a minute that was never closed is not settled.
UPDATE notification_rollup_state SET turn = turn + 1, settled_until = $2
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND settled_until = $1 AND closed_until >= $2
RETURNING closed_until AS "closedUntil";

-- name: addUpDay
-- Holds the row until the transaction ends.
-- In: $1 the first day that does not stand as one yet, $2 its end
-- Out: nothing where somebody else has added it up, or not all of it is settled
UPDATE notification_rollup_state SET turn = turn + 1, days_until = $2
WHERE id = 1 AND turn >= (SELECT n.turn FROM newest_rollup_state() n)
  AND days_until = $1 AND settled_until >= $2
RETURNING days_until;
