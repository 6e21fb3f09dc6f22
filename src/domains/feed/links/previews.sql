-- name: claim
-- $1 post id. Claims a preview for half a minute, longer after each failure. Answers its URL, the attempt, and whether it is the
-- last. Of due_at milliseconds are kept: it may be rounded up.
-- not null: isLast
UPDATE link_previews SET attempts = attempts + 1, due_at = now() + interval '30 seconds' * 4 ^ attempts
WHERE post_id = $1::uuid AND state = 'waiting' AND due_at <= now() + interval '1 millisecond'
RETURNING url, attempts, attempts >= 3 AS "isLast"

-- name: findKnown
-- $1 URL. The summary that was fetched within a day; that there is nothing to show is kept for ten minutes.
-- not null: fetchedAt
SELECT title, image_url AS "imageUrl", fetched_at AS "fetchedAt" FROM link_previews
WHERE url = $1 AND fetched_at > now() - CASE state WHEN 'ready' THEN interval '1 day' ELSE interval '10 minutes' END
ORDER BY fetched_at DESC LIMIT 1

-- name: settle
-- $1 post id, $2 URL, $3 attempt: where the post has another link by now, or another worker claimed it, nothing happens.
-- $4 ready or none, $5 title, $6 image URL, $7 when it was fetched for another post, or null
UPDATE link_previews SET state = $4, title = $5, image_url = $6, fetched_at = coalesce($7::timestamptz, now())
WHERE post_id = $1::uuid AND url = $2 AND attempts = $3 AND state = 'waiting'

-- name: postpone
-- $1 post id, $2 attempt, $3 milliseconds. Its host was asked too often: the attempt does not count. Up to twice as long, so that
-- previews that wait for one host do not all come back at once.
UPDATE link_previews SET attempts = attempts - 1, due_at = now() + interval '1 millisecond' * $3::float8 * (1 + random())
WHERE post_id = $1::uuid AND attempts = $2 AND state = 'waiting'

-- name: findWaiting
-- $1 at most, $2 milliseconds to look back, NULL for everything. Posts whose previews are due and not claimed.
SELECT post_id AS "postId" FROM link_previews WHERE state = 'waiting' AND due_at <= now() - interval '2 seconds'
  AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
ORDER BY due_at LIMIT $1

-- name: turnsOf
-- $1 post ids. Of those whose previews wait, the turn of each among all of its author's; 1 where no author is stored.
-- not null: turn
WITH authors AS (
  SELECT DISTINCT author_id FROM link_previews WHERE post_id = ANY ($1::uuid[]) AND state = 'waiting'
), turns AS (
  SELECT l.post_id, row_number() OVER (PARTITION BY l.author_id ORDER BY l.due_at, l.post_id)::int AS turn
  FROM authors a JOIN link_previews l ON l.author_id = a.author_id AND l.state = 'waiting'
)
SELECT post_id AS "postId", coalesce(turn, 1) AS turn FROM link_previews LEFT JOIN turns USING (post_id)
WHERE post_id = ANY ($1::uuid[]) AND state = 'waiting'

-- name: find
-- $1 post ids
SELECT post_id AS "postId", url, title, image_url AS "imageUrl" FROM link_previews
WHERE post_id = ANY ($1::uuid[]) AND state = 'ready'
