-- CreateTable
CREATE TABLE "open_notification_groups" (
    "user_id" VARCHAR(64) NOT NULL,
    "producer" VARCHAR(64) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "group_key" VARCHAR(128) NOT NULL,
    "group_id" UUID NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "open_notification_groups_pkey" PRIMARY KEY ("user_id","producer","notification_type","group_key")
);

-- CreateTable
CREATE TABLE "notification_groups" (
    "group_id" UUID NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_count" INTEGER NOT NULL DEFAULT 0,
    "last_nth" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "notification_groups_pkey" PRIMARY KEY ("group_id")
);

-- CreateTable
CREATE TABLE "notification_group_summaries" (
    "group_id" UUID NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "summary" JSONB,

    CONSTRAINT "notification_group_summaries_pkey" PRIMARY KEY ("group_id","channel")
);

-- CreateTable
CREATE TABLE "notification_group_actors" (
    "group_id" UUID NOT NULL,
    "actor_id" VARCHAR(64) NOT NULL,
    "actor_name" VARCHAR(255) NOT NULL,
    "nth" BIGINT NOT NULL,
    "affirmed_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "notification_group_actors_pkey" PRIMARY KEY ("group_id","actor_id")
);

-- CreateIndex
CREATE INDEX "open_notification_groups_closes_at_idx" ON "open_notification_groups"("closes_at");

-- CreateIndex
CREATE INDEX "notification_groups_closes_at_idx" ON "notification_groups"("closes_at");

-- CreateIndex
CREATE INDEX "notification_group_actors_group_id_nth_idx" ON "notification_group_actors"("group_id", "nth");

-- By hand: each person who joins a group changes its row, in place.
ALTER TABLE "notification_groups" SET (fillfactor = 70);
