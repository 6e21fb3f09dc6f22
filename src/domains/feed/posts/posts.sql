-- name: pageAuthors
-- $1 authors' user ids, $2 reader's user id or null, $3, $4 the place (time, post id), $5 at most for each, $6 whether it goes from
-- newer to older.
-- What the reader may see of each author, nearest to the place first; nothing where one has blocked the other. Only their
-- author sees empty posts.
-- not null: post_id, created_at
SELECT u.user_id AS author, p.post_id, p.created_at
FROM users u
CROSS JOIN LATERAL (
  SELECT CASE WHEN u.user_id = $2 THEN ARRAY['public', 'followers', 'private']
    WHEN EXISTS (SELECT FROM follows f JOIN users r ON r.id = f.follower_id WHERE r.user_id = $2 AND f.followee_id = u.id)
    THEN ARRAY['public', 'followers'] ELSE ARRAY['public'] END AS visible
) v
CROSS JOIN LATERAL page_of_posts(u.id, v.visible, u.user_id IS NOT DISTINCT FROM $2, $3, $4, $6, $5) p
WHERE u.user_id = ANY ($1) AND NOT is_blocked(u.id, (SELECT id FROM users WHERE user_id = $2))
