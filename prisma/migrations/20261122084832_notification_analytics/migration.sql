-- CreateTable
CREATE TABLE "notification_rollups" (
    "seconds" INTEGER NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "priority" VARCHAR(8) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "template_id" VARCHAR(64) NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "validated" INTEGER NOT NULL DEFAULT 0,
    "preference_checked" INTEGER NOT NULL DEFAULT 0,
    "rendered" INTEGER NOT NULL DEFAULT 0,
    "queued" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "dismissed" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "retry" INTEGER NOT NULL DEFAULT 0,
    "dlq" INTEGER NOT NULL DEFAULT 0,
    "expired" INTEGER NOT NULL DEFAULT 0,
    "scheduled" INTEGER NOT NULL DEFAULT 0,
    "suppressed" INTEGER NOT NULL DEFAULT 0,
    "cancelled" INTEGER NOT NULL DEFAULT 0,
    "suspected_bots" INTEGER NOT NULL DEFAULT 0,
    "latency_buckets" SMALLINT[] DEFAULT ARRAY[]::SMALLINT[],
    "latency_counts" INTEGER[] DEFAULT ARRAY[]::INTEGER[],

    CONSTRAINT "notification_rollups_pkey" PRIMARY KEY ("seconds","starts_at","channel","priority","notification_type","template_id")
);

-- CreateTable
CREATE TABLE "notification_rollup_state" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "stream_position" VARCHAR(64) NOT NULL DEFAULT '0-0',
    "closed_until" TIMESTAMPTZ(0) NOT NULL,
    "settled_until" TIMESTAMPTZ(0) NOT NULL,

    CONSTRAINT "notification_rollup_state_pkey" PRIMARY KEY ("id")
);

-- By hand, from here on: what Prisma's schema language cannot say.

-- One row, from the first notification on: what happened before this migration is counted too, minute by minute.
ALTER TABLE "notification_rollup_state" ADD CONSTRAINT "notification_rollup_state_one" CHECK ("id" = 1);
INSERT INTO "notification_rollup_state" ("closed_until", "settled_until")
  SELECT start.at, start.at
  FROM (SELECT date_trunc('minute', coalesce(min("created_at"), now() - interval '15 minutes')) AS at
        FROM "notification_requests") AS start;

-- All events of a minute. Rows come in the order of time, so an entry for each megabyte is enough, and writing costs next
-- to nothing. A plain BRIN index reads all that no vacuum has been to yet; this one has each megabyte summarised once it
-- is full.
CREATE INDEX "delivery_events_by_time" ON "delivery_events" USING brin ("at") WITH (autosummarize = on);

-- Its answer tells more now; functions are made anew after migrations.
DROP FUNCTION IF EXISTS apply_transitions(jsonb);
