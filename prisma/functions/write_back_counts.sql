-- Adds what was counted of posts to their own columns and deletes it: a reader sees it in one place or the other, a call that is
-- killed has changed nothing. Posts that another transaction has locked are left to it. What was counted of a post that is gone is
-- deleted.
--
-- In:  post ids
-- Out: how many rows of what was counted were taken in
--
-- Promises
--   Nothing of a post at or below its counted_id is left or comes: rows are numbered in the order of their commits, under the
--   log's append lock, and taken in by a statement that began once the post was locked. So readers begin after it, and
--   skip the deleted rows that vacuum may not remove yet.
CREATE OR REPLACE FUNCTION write_back_counts(asked uuid[]) RETURNS int
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
DECLARE
  mine uuid[] := ARRAY(SELECT p.post_id FROM posts p WHERE p.post_id = ANY (asked) FOR UPDATE SKIP LOCKED);
  gone uuid[] := ARRAY(
    SELECT one FROM unnest(asked) AS one WHERE NOT EXISTS (SELECT FROM posts p WHERE p.post_id = one));
  taken int;
  orphans int;
BEGIN
  WITH found AS MATERIALIZED (
    SELECT d.place
    FROM posts p CROSS JOIN LATERAL (
      SELECT ctid AS place FROM post_count_deltas WHERE post_id = p.post_id AND id > p.counted_id OFFSET 0
    ) d
    WHERE p.post_id = ANY (mine)
  ), taken_in AS (
    DELETE FROM post_count_deltas WHERE ctid = ANY (ARRAY(SELECT place FROM found))
    RETURNING id, post_id, counter, delta
  ), sums AS (
    SELECT post_id, max(id) AS last_id, count(*) AS n,
      coalesce(sum(delta) FILTER (WHERE counter = 'LIKE'), 0) AS likes,
      coalesce(sum(delta) FILTER (WHERE counter = 'LOVE'), 0) AS loves,
      coalesce(sum(delta) FILTER (WHERE counter = 'HAHA'), 0) AS hahas,
      coalesce(sum(delta) FILTER (WHERE counter = 'WOW'), 0) AS wows,
      coalesce(sum(delta) FILTER (WHERE counter = 'SAD'), 0) AS sads,
      coalesce(sum(delta) FILTER (WHERE counter = 'ANGRY'), 0) AS angries,
      coalesce(sum(delta) FILTER (WHERE counter = 'COMMENT'), 0) AS comments,
      coalesce(sum(delta) FILTER (WHERE counter = 'SHARE'), 0) AS shares
    FROM taken_in GROUP BY post_id
  ), written AS (
    UPDATE posts p SET like_count = like_count + s.likes, love_count = love_count + s.loves,
      haha_count = haha_count + s.hahas, wow_count = wow_count + s.wows, sad_count = sad_count + s.sads,
      angry_count = angry_count + s.angries, comment_count = comment_count + s.comments,
      share_count = share_count + s.shares, counted_id = s.last_id
    FROM sums s WHERE p.post_id = s.post_id
  )
  SELECT coalesce(sum(n), 0) INTO taken FROM sums;
  DELETE FROM post_count_deltas d WHERE d.post_id = ANY (gone);
  GET DIAGNOSTICS orphans = ROW_COUNT;
  RETURN taken + orphans;
END;
$$;
