-- AlterTable
ALTER TABLE "users" ADD COLUMN     "has_pulled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "posts" DROP COLUMN "media_urls",
ADD COLUMN     "angry_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "fingerprint" BIGINT,
ADD COLUMN     "haha_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "labels" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "love_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "media_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "sad_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "shared_post_id" UUID,
ADD COLUMN     "version" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "wow_count" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "fanouts" ADD COLUMN     "online_done" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "post_edits" (
    "post_id" UUID NOT NULL,
    "position" BIGINT NOT NULL,
    "content" TEXT NOT NULL,
    "edited_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "post_edits_pkey" PRIMARY KEY ("post_id","position")
);

-- CreateTable
CREATE TABLE "media" (
    "media_id" UUID NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "kind" VARCHAR(8) NOT NULL,
    "state" VARCHAR(16) NOT NULL DEFAULT 'uploaded',
    "content_type" VARCHAR(64) NOT NULL,
    "bytes" BIGINT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "storage_key" TEXT NOT NULL,
    "renditions" JSONB NOT NULL DEFAULT '[]',
    "failure_reason" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("media_id")
);

-- CreateTable
CREATE TABLE "mutes" (
    "user_id" BIGINT NOT NULL,
    "muted_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mutes_pkey" PRIMARY KEY ("user_id","muted_id")
);

-- CreateTable
CREATE TABLE "blocks" (
    "user_id" BIGINT NOT NULL,
    "blocked_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("user_id","blocked_id")
);

-- CreateTable
CREATE TABLE "close_friends" (
    "user_id" BIGINT NOT NULL,
    "friend_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "close_friends_pkey" PRIMARY KEY ("user_id","friend_id")
);

-- CreateTable
CREATE TABLE "feed_settings" (
    "user_id" VARCHAR(64) NOT NULL,
    "muted_keywords" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "read_marker_at" TIMESTAMPTZ(3),
    "read_marker_post" UUID,

    CONSTRAINT "feed_settings_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "reactions" (
    "post_id" UUID NOT NULL,
    "user_id" BIGINT NOT NULL,
    "kind" VARCHAR(8) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "reactions_pkey" PRIMARY KEY ("post_id","user_id")
);

-- CreateTable
CREATE TABLE "comments" (
    "comment_id" UUID NOT NULL,
    "post_id" UUID NOT NULL,
    "author_id" BIGINT NOT NULL,
    "reply_to_id" UUID,
    "content" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "comments_pkey" PRIMARY KEY ("comment_id")
);

-- CreateTable
CREATE TABLE "post_count_deltas" (
    "id" BIGSERIAL NOT NULL,
    "post_id" UUID NOT NULL,
    "counter" VARCHAR(8) NOT NULL,
    "delta" INTEGER NOT NULL,

    CONSTRAINT "post_count_deltas_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "feed_notices" (
    "position" BIGINT NOT NULL,
    "type" VARCHAR(32) NOT NULL,
    "actor" VARCHAR(64) NOT NULL,
    "subject" VARCHAR(64) NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "feed_notices_pkey" PRIMARY KEY ("position","type")
);

-- CreateTable
CREATE TABLE "affinities" (
    "user_id" BIGINT NOT NULL,
    "author_id" BIGINT NOT NULL,
    "score" DOUBLE PRECISION NOT NULL,
    "as_of" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affinities_pkey" PRIMARY KEY ("user_id","author_id")
);

-- CreateTable
CREATE TABLE "signals" (
    "id" BIGSERIAL NOT NULL,
    "user_id" BIGINT NOT NULL,
    "author_id" BIGINT NOT NULL,
    "post_id" UUID,
    "kind" VARCHAR(16) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "signals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ranking_models" (
    "id" BIGSERIAL NOT NULL,
    "trained_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "samples" INTEGER NOT NULL,
    "weights" JSONB NOT NULL,

    CONSTRAINT "ranking_models_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sponsored_posts" (
    "post_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3),
    "created_by" VARCHAR(64) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sponsored_posts_pkey" PRIMARY KEY ("post_id")
);

-- CreateIndex
CREATE INDEX "media_owner_id_created_at_idx" ON "media"("owner_id", "created_at");

-- CreateIndex
CREATE INDEX "mutes_user_id_created_at_muted_id_idx" ON "mutes"("user_id", "created_at" DESC, "muted_id" DESC);

-- CreateIndex
CREATE INDEX "blocks_blocked_id_user_id_idx" ON "blocks"("blocked_id", "user_id");

-- CreateIndex
CREATE INDEX "blocks_user_id_created_at_blocked_id_idx" ON "blocks"("user_id", "created_at" DESC, "blocked_id" DESC);

-- CreateIndex
CREATE INDEX "close_friends_friend_id_created_at_user_id_idx" ON "close_friends"("friend_id", "created_at", "user_id");

-- CreateIndex
CREATE INDEX "reactions_post_id_created_at_user_id_idx" ON "reactions"("post_id", "created_at" DESC, "user_id" DESC);

-- CreateIndex
CREATE INDEX "reactions_post_id_kind_created_at_user_id_idx" ON "reactions"("post_id", "kind", "created_at" DESC, "user_id" DESC);

-- CreateIndex
CREATE INDEX "comments_post_id_created_at_comment_id_idx" ON "comments"("post_id", "created_at", "comment_id");

-- CreateIndex
CREATE INDEX "comments_reply_to_id_created_at_comment_id_idx" ON "comments"("reply_to_id", "created_at", "comment_id");

-- CreateIndex
CREATE INDEX "post_count_deltas_post_id_idx" ON "post_count_deltas"("post_id");

-- CreateIndex
CREATE INDEX "feed_notices_due_at_idx" ON "feed_notices"("due_at");

-- CreateIndex
CREATE INDEX "signals_at_idx" ON "signals"("at");

-- CreateIndex
CREATE INDEX "posts_shared_post_id_idx" ON "posts"("shared_post_id");

-- CreateIndex
CREATE INDEX "users_is_celebrity_follower_count_idx" ON "users"("is_celebrity", "follower_count");

-- People are searched by the beginning of their id or name, whatever its case.
CREATE INDEX "users_by_id" ON "users" ((lower("user_id") COLLATE "C"), "id");
CREATE INDEX "users_by_name" ON "users" ((lower("display_name") COLLATE "C"), "id");

-- Whose pulled posts readers look for: few.
CREATE INDEX "users_pulled" ON "users" ("user_id") WHERE "has_pulled";

-- Deleted posts wait here for a day; what removes them looks for nothing else.
CREATE INDEX "posts_deleted" ON "posts" ("deleted_at") WHERE "deleted_at" IS NOT NULL;

-- What feeds are made of: pushed and pulled posts apart, so that nobody passes thousands of the one for a few of the other.
CREATE INDEX "posts_by_distribution" ON "posts" ("author_id", "distribution", "created_at" DESC, "post_id" DESC)
  WHERE "visibility" <> 'private' AND "deleted_at" IS NULL;

-- Uploads that still arrive, whose renditions are still to be made, or whose files still go away.
CREATE INDEX "media_unfinished" ON "media" ("touched_at") WHERE "state" NOT IN ('ready', 'failed');

-- Which posts hold a media item. Most hold none and take no room here.
CREATE INDEX "posts_media_ids" ON "posts" USING GIN ("media_ids") WHERE "media_ids" <> '{}';

-- Posts from before versions: the event that published them is the last that changed them.
UPDATE "posts" SET "version" = "position";

-- Who likes and shares a post over and over comes no closer by it.
CREATE UNIQUE INDEX "signals_once" ON "signals" ("user_id", "post_id", "kind") WHERE "kind" IN ('LIKE', 'SHARE');

-- Comments on a post are paged without what answers them.
CREATE INDEX "comments_on_posts" ON "comments" ("post_id", "created_at", "comment_id") WHERE "reply_to_id" IS NULL;

-- Nobody is told of what happened before there was anybody to tell of it.
INSERT INTO "projector_checkpoints" ("projector_name", "last_position")
SELECT 'feed-notices', max("global_position") FROM "events" HAVING count(*) > 0;
