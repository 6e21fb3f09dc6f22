-- name: countRepeats
-- $1 author's user id, $2 content, $3 minutes, $4 at most counted. The author's posts of these minutes with this text,
-- whatever its case and the white space at its ends, deleted ones too.
-- not null: repeats
SELECT count(*) AS repeats FROM (
  SELECT FROM posts
  WHERE author_id = (SELECT id FROM users WHERE user_id = $1) AND created_at > now() - make_interval(mins => $3)
    AND lower(btrim(content, E' \t\r\n')) = lower(btrim($2, E' \t\r\n'))
  LIMIT $4
) AS same

-- name: countShares
-- $1 author's user id, $2 post id, $3 minutes, $4 at most counted. The author's posts of these minutes that share this post
-- without words, deleted ones too.
-- not null: repeats
SELECT count(*) AS repeats FROM (
  SELECT FROM posts
  WHERE author_id = (SELECT id FROM users WHERE user_id = $1) AND created_at > now() - make_interval(mins => $3)
    AND shared_post_id = $2 AND btrim(content, E' \t\r\n') = ''
  LIMIT $4
) AS same
