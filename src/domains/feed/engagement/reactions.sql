-- name: ofViewer
-- $1 post ids, $2 reader's user id. Their own reactions to them.
-- type: kind = import('../types.js').ReactionKind
SELECT r.post_id AS "postId", r.kind
FROM reactions r JOIN users u ON u.id = r.user_id
WHERE u.user_id = $2 AND r.post_id = ANY ($1::uuid[])

-- name: page
-- $1 post ids, $2 reader's user id or null, $3, $4 before this (time, surrogate user id), $5 at most for each. Who reacted to
-- each post, newest first, without users who are blocked either way with the reader.
-- not null: of, followerCount, followingCount
-- type: kind = import('../types.js').ReactionKind
SELECT wanted.id AS of, x.kind, x.created_at AS "reactedAt", u.id, u.user_id AS "userId",
  u.display_name AS "displayName", u.avatar_url AS "avatarUrl", u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity",
  u.follower_count AS "followerCount", u.following_count AS "followingCount"
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND (created_at, user_id) < ($3::timestamptz, $4::bigint)
    AND user_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at DESC, user_id DESC LIMIT $5
) x
JOIN counted_users u ON u.id = x.user_id
ORDER BY x.created_at DESC, x.user_id DESC

-- name: pageBack
-- As page, the other way: what is newer than the place, oldest first.
-- not null: of, followerCount, followingCount
-- type: kind = import('../types.js').ReactionKind
SELECT wanted.id AS of, x.kind, x.created_at AS "reactedAt", u.id, u.user_id AS "userId",
  u.display_name AS "displayName", u.avatar_url AS "avatarUrl", u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity",
  u.follower_count AS "followerCount", u.following_count AS "followingCount"
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND (created_at, user_id) > ($3::timestamptz, $4::bigint)
    AND user_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at, user_id LIMIT $5
) x
JOIN counted_users u ON u.id = x.user_id
ORDER BY x.created_at, x.user_id

-- name: pageOfKind
-- As page, for reactions of one kind: $6.
-- not null: of, followerCount, followingCount
-- type: kind = import('../types.js').ReactionKind
SELECT wanted.id AS of, x.kind, x.created_at AS "reactedAt", u.id, u.user_id AS "userId",
  u.display_name AS "displayName", u.avatar_url AS "avatarUrl", u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity",
  u.follower_count AS "followerCount", u.following_count AS "followingCount"
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND kind = $6 AND (created_at, user_id) < ($3::timestamptz, $4::bigint)
    AND user_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at DESC, user_id DESC LIMIT $5
) x
JOIN counted_users u ON u.id = x.user_id
ORDER BY x.created_at DESC, x.user_id DESC

-- name: pageOfKindBack
-- As pageBack, for reactions of one kind: $6.
-- not null: of, followerCount, followingCount
-- type: kind = import('../types.js').ReactionKind
SELECT wanted.id AS of, x.kind, x.created_at AS "reactedAt", u.id, u.user_id AS "userId",
  u.display_name AS "displayName", u.avatar_url AS "avatarUrl", u.is_verified AS "isVerified", u.is_celebrity AS "isCelebrity",
  u.follower_count AS "followerCount", u.following_count AS "followingCount"
FROM unnest($1::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM reactions
  WHERE post_id = wanted.id AND kind = $6 AND (created_at, user_id) > ($3::timestamptz, $4::bigint)
    AND user_id NOT IN (SELECT blocked_with($2))
  ORDER BY created_at, user_id LIMIT $5
) x
JOIN counted_users u ON u.id = x.user_id
ORDER BY x.created_at, x.user_id
