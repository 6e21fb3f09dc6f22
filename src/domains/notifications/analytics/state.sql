-- name: state
SELECT stream_position AS "streamPosition", closed_until AS "closedUntil", settled_until AS "settledUntil",
       days_until AS "daysUntil"
FROM notification_rollup_state;

-- name: moveOn
-- Holds the row until the transaction ends.
-- In: $1 the position of the stream that was read on from, $2 the new one
-- Out: nothing where somebody else has moved on
UPDATE notification_rollup_state SET stream_position = $2 WHERE stream_position = $1
RETURNING closed_until AS "closedUntil";

-- name: close
-- Holds the row until the transaction ends.
-- In: $1 the first minute that is closed, $2 the first that is not
-- Out: nothing where somebody else has closed it
UPDATE notification_rollup_state SET closed_until = $2 WHERE closed_until = $1
RETURNING closed_until AS "closedUntil";

-- name: reopen
-- What is said to be over and lies in the future was ended by a machine whose clock is wrong, and so was what came before.
-- In: $1 now, $2 from when on minutes are counted anew
UPDATE notification_rollup_state SET closed_until = $2, settled_until = least(settled_until, $2)
WHERE closed_until > $1;

-- name: settle
-- As `close`; a minute that was never closed is not settled.
UPDATE notification_rollup_state SET settled_until = $2 WHERE settled_until = $1 AND closed_until >= $2
RETURNING closed_until AS "closedUntil";

-- name: addUpDay
-- Holds the row until the transaction ends.
-- In: $1 the first day that does not stand as one yet, $2 its end
-- Out: nothing where somebody else has added it up, or not all of it is settled
UPDATE notification_rollup_state SET days_until = $2 WHERE days_until = $1 AND settled_until >= $2
RETURNING days_until;
