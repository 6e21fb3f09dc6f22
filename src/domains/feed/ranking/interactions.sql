-- name: noteInteractions
-- $1 readers (user ids), $2 post ids (null where it is about a person), $3 people (user ids; null where it is about a
-- post), $4 kinds, $5 times; $6 whether to leave out posts that the reader may not see;
-- $7 kinds that bring closer, $8 by how much each, $9 seconds in which that fades by half.
-- Writes what readers did as signals, and adds it up in affinities. Left out: oneself, unknown users and posts, and a second
-- LIKE or SHARE of one post. A sum is the same whatever order interactions come in.
-- Answers how many were written.
-- not null: noted
WITH given AS (
  SELECT reader.id AS user_id, coalesce(p.author_id, person.id) AS author_id, p.post_id, g.kind, g.at
  FROM unnest($1::text[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[]) AS g (reader, post, person, kind, at)
  JOIN users reader ON reader.user_id = g.reader
  LEFT JOIN posts p ON p.post_id = g.post
  LEFT JOIN users person ON person.user_id = g.person AND g.post IS NULL
  WHERE reader.id <> coalesce(p.author_id, person.id)
    AND (NOT $6 OR CASE WHEN p.post_id IS NULL THEN NOT is_blocked(reader.id, person.id)
      ELSE may_see_post(p.post_id, reader.id) END)
), noted AS (
  INSERT INTO signals (user_id, author_id, post_id, kind, at)
  SELECT user_id, author_id, post_id, kind, at FROM given
  ON CONFLICT (user_id, post_id, kind) WHERE kind IN ('LIKE', 'SHARE') DO NOTHING
  RETURNING user_id, author_id, kind, at
), weighed AS (
  SELECT n.user_id, n.author_id, n.at, k.weight, max(n.at) OVER (PARTITION BY n.user_id, n.author_id) AS as_of
  FROM noted n JOIN unnest($7::text[], $8::float8[]) AS k (kind, weight) USING (kind)
  WHERE k.weight <> 0
), added AS (
  INSERT INTO affinities AS a (user_id, author_id, score, as_of)
  SELECT user_id, author_id, sum(weight * 0.5 ^ least(extract(epoch FROM as_of - at)::float8 / $9, 200)), as_of
  FROM weighed
  GROUP BY user_id, author_id, as_of
  -- Rows are locked in one order, so that no two statements wait for each other.
  ORDER BY user_id, author_id
  ON CONFLICT (user_id, author_id) DO UPDATE SET
    score = a.score
        * 0.5 ^ least(extract(epoch FROM greatest(a.as_of, excluded.as_of) - a.as_of)::float8 / $9, 200)
      + excluded.score
        * 0.5 ^ least(extract(epoch FROM greatest(a.as_of, excluded.as_of) - excluded.as_of)::float8 / $9, 200),
    as_of = greatest(a.as_of, excluded.as_of)
)
SELECT count(*)::int AS noted FROM noted

-- name: closest
-- $1 reader's user id, $2 now, $3 seconds in which a sum fades by half, $4 at most.
-- The authors with the highest and the lowest affinity.
-- not null: score
SELECT u.user_id, c.score
FROM (
  SELECT author_id,
    score * 0.5 ^ least(greatest(extract(epoch FROM $2::timestamptz - as_of)::float8, 0) / $3, 200) AS score
  FROM affinities
  WHERE user_id = (SELECT id FROM users WHERE user_id = $1)
  ORDER BY abs(score) DESC LIMIT $4
) c
JOIN users u ON u.id = c.author_id

-- name: forgetSignals
-- $1 older than this, $2 at most, $3 milliseconds to look back from there, NULL for everything. Rows are only ever inserted, so a
-- row's place stays its own.
DELETE FROM signals WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM signals
  WHERE at < $1 AND at >= coalesce($1::timestamptz - $3::float8 * interval '1 millisecond', '-infinity')
  ORDER BY at LIMIT $2))

-- name: forgetAffinities
-- $1 where to begin, as a share of all readers (0 to 1), $2 rows looked at, $3 nothing was added since.
-- Reads the next rows in the order of their key, so that no index has to be written with every interaction.
WITH page AS MATERIALIZED (
  SELECT user_id, author_id, as_of FROM affinities
  WHERE user_id >= (SELECT floor($1::float8 * coalesce(max(id), 0))::bigint FROM users)
  ORDER BY user_id, author_id LIMIT $2
), faded AS MATERIALIZED (
  SELECT a.ctid FROM page CROSS JOIN LATERAL (
    SELECT ctid FROM affinities WHERE user_id = page.user_id AND author_id = page.author_id AND as_of < $3
    FOR UPDATE SKIP LOCKED) AS a
  WHERE page.as_of < $3
)
DELETE FROM affinities WHERE ctid = ANY (ARRAY(SELECT ctid FROM faded))
