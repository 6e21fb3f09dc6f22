-- name: progress
-- $1 post id; arrays, an entry a page: $2 its last follower's surrogate id, $3 its followers, $4 how many of them were pushed
-- to. Pages that another run has written are not counted again.
WITH entry AS (
  UPDATE outbox SET due_at = now() + interval '2 seconds', attempts = 0 WHERE key = 'feed.fan-out:' || $1::uuid
)
UPDATE fanouts f SET after_follower = (SELECT max(last) FROM unnest($2::bigint[]) AS last), touched_at = now(),
  (followers, pushed) = (
    SELECT f.followers + sum(page.followers), f.pushed + sum(page.pushed)
    FROM unnest($2::bigint[], $3::int[], $4::int[]) AS page (last, followers, pushed)
    WHERE page.last > f.after_follower)
WHERE f.post_id = $1::uuid AND f.after_follower < (SELECT max(last) FROM unnest($2::bigint[]) AS last)
