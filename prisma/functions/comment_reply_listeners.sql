-- Who is to be notified of a comment as one that answers theirs or stands under the same post: the author of the comment that it replies
-- to, and the latest 100 of those who commented on the same post before (found among 1,000 comments). Neither the comment's author nor
-- the post's, who hears of every comment.
--
-- In:  comment id, or NULL
-- Out: surrogate user ids, each once
CREATE OR REPLACE FUNCTION comment_reply_listeners(comment uuid) RETURNS SETOF bigint
LANGUAGE sql STABLE AS $$
  SELECT others.author_id
  FROM comments c
  JOIN posts p ON p.post_id = c.post_id
  CROSS JOIN LATERAL (
    SELECT author_id, 'infinity'::timestamptz AS at FROM comments
    WHERE comment_id = c.reply_to_id AND deleted_at IS NULL
    UNION ALL
    (SELECT author_id, created_at FROM comments
      WHERE post_id = c.post_id AND deleted_at IS NULL AND (created_at, comment_id) < (c.created_at, c.comment_id)
      ORDER BY created_at DESC, comment_id DESC LIMIT 1000)
  ) others
  WHERE c.comment_id = comment AND others.author_id NOT IN (c.author_id, p.author_id)
  GROUP BY others.author_id ORDER BY max(others.at) DESC LIMIT 100
$$;
