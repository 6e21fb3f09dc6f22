-- CreateTable
CREATE TABLE "campaigns" (
    "campaign_id" UUID NOT NULL,
    "producer" VARCHAR(64) NOT NULL,
    "batch_id" VARCHAR(64) NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "template_id" VARCHAR(64) NOT NULL,
    "type" VARCHAR(64) NOT NULL,
    "priority" VARCHAR(8) NOT NULL,
    "filter" TEXT NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "estimated_count" INTEGER,
    "max_per_second" INTEGER,
    "window_hours" INTEGER,
    "rate_per_second" DOUBLE PRECISION NOT NULL,
    "rate_raised" BOOLEAN NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "failure" TEXT,
    "withdraw_below" INTEGER,
    "correlation_id" VARCHAR(128) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("campaign_id")
);

-- CreateTable
CREATE TABLE "campaign_pages" (
    "campaign_id" UUID NOT NULL,
    "page" INTEGER NOT NULL,
    "request_id" UUID,
    "after" VARCHAR(64) NOT NULL,
    "matched" INTEGER NOT NULL,
    "queued" INTEGER NOT NULL,
    "suppressed" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "campaign_pages_pkey" PRIMARY KEY ("campaign_id","page")
);

-- CreateTable
CREATE TABLE "campaign_rollups" (
    "campaign_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(0) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
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

    CONSTRAINT "campaign_rollups_pkey" PRIMARY KEY ("campaign_id","starts_at","channel")
);

-- CreateIndex
CREATE INDEX "campaigns_batch_id_created_at_idx" ON "campaigns"("batch_id", "created_at");

-- CreateIndex
CREATE INDEX "campaigns_created_at_campaign_id_idx" ON "campaigns"("created_at", "campaign_id");

-- CreateIndex
CREATE INDEX "campaigns_producer_created_at_campaign_id_idx" ON "campaigns"("producer", "created_at", "campaign_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaigns_producer_batch_id_key" ON "campaigns"("producer", "batch_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_pages_request_id_key" ON "campaign_pages"("request_id");

-- CreateIndex
CREATE INDEX "campaign_rollups_starts_at_idx" ON "campaign_rollups"("starts_at");

-- By hand, from here on: what Prisma's schema language cannot say.

-- Campaigns that are not over: how many a producer has, and which are to be taken up or gone on with.
CREATE INDEX "campaigns_open" ON "campaigns" ("producer", "created_at", "campaign_id") WHERE "status" IN ('PENDING', 'RUNNING', 'PAUSED');

-- Cancelled campaigns of which something is still to be withdrawn.
CREATE INDEX "campaigns_to_withdraw" ON "campaigns" ("producer", "created_at", "campaign_id") WHERE "withdraw_below" IS NOT NULL;
