-- CreateTable
CREATE TABLE "follow_counts" (
    "user_id" BIGINT NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,
    "follower_count" INTEGER NOT NULL,
    "following_count" INTEGER NOT NULL,

    CONSTRAINT "follow_counts_pkey" PRIMARY KEY ("user_id","turn")
);

-- By hand, from here on: what Prisma's schema language cannot say.

-- Users with their counts. Where nothing changed since this migration, they stand in "users".
CREATE VIEW "counted_users" AS
SELECT u."id", u."user_id", u."display_name", u."avatar_url", u."is_verified", u."is_celebrity",
  coalesce(c."follower_count", u."follower_count") AS "follower_count",
  coalesce(c."following_count", u."following_count") AS "following_count"
FROM "users" u
LEFT JOIN LATERAL (
  SELECT "follower_count", "following_count" FROM "follow_counts" WHERE "user_id" = u."id" ORDER BY "turn" DESC LIMIT 1
) c ON true;
