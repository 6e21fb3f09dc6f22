-- CreateTable
CREATE TABLE "webhooks" (
    "webhook_id" UUID NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "url" VARCHAR(2048) NOT NULL,
    "event_types" VARCHAR(64)[],
    "notification_types" VARCHAR(64)[] DEFAULT ARRAY[]::VARCHAR(64)[],
    "follows_lifecycle" BOOLEAN NOT NULL,
    "follows_log" BOOLEAN NOT NULL,
    "secret" BYTEA NOT NULL,
    "former_secret" BYTEA,
    "former_until" TIMESTAMPTZ(3),
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "active_since" TIMESTAMPTZ(3) NOT NULL,
    "pauses" INTEGER NOT NULL DEFAULT 0,
    "paused_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateTable
CREATE TABLE "webhook_backlogs" (
    "webhook_id" UUID NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" UUID,
    "additions" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_backlogs_pkey" PRIMARY KEY ("webhook_id","subject")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "delivery_id" UUID NOT NULL,
    "webhook_id" UUID NOT NULL,
    "subject" VARCHAR(255) NOT NULL,
    "number" BIGINT NOT NULL,
    "event_type" VARCHAR(64) NOT NULL,
    "data" JSONB NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "status" VARCHAR(16) NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_status_code" INTEGER,
    "last_answer" TEXT,
    "last_error" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE INDEX "webhooks_owner_id_created_at_webhook_id_idx" ON "webhooks"("owner_id", "created_at", "webhook_id");

-- CreateIndex
CREATE INDEX "webhooks_created_at_webhook_id_idx" ON "webhooks"("created_at", "webhook_id");

-- CreateIndex
CREATE INDEX "webhook_backlogs_webhook_id_due_at_idx" ON "webhook_backlogs"("webhook_id", "due_at");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_created_at_delivery_id_idx" ON "webhook_deliveries"("webhook_id", "created_at", "delivery_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries"("created_at");

-- By hand, from here on: what Prisma's schema language cannot say.

ALTER TABLE "webhooks" ALTER COLUMN "event_types" SET NOT NULL, ALTER COLUMN "notification_types" SET NOT NULL;
-- Asked for by every statement that writes lifecycle events; and by the projector webhook-events, and by what looks for work.
CREATE INDEX "webhooks_of_lifecycle" ON "webhooks" ("owner_id") WHERE "is_active" AND "follows_lifecycle" AND "deleted_at" IS NULL;
CREATE INDEX "webhooks_of_log" ON "webhooks" ("webhook_id") WHERE "is_active" AND "follows_log" AND "deleted_at" IS NULL;
CREATE INDEX "webhooks_active" ON "webhooks" ("webhook_id") WHERE "is_active" AND "deleted_at" IS NULL;
CREATE INDEX "webhooks_deleted" ON "webhooks" ("deleted_at") WHERE "deleted_at" IS NOT NULL;
-- What waits for a webhook, subject by subject, in order; and what its owner looks for.
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" ("webhook_id", "subject", "number") WHERE "status" <> 'DELIVERED';
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" ("webhook_id", "created_at", "delivery_id") WHERE "status" = 'FAILED';
-- Pauses are written beside the row that they are of, and into no index.
ALTER TABLE "webhooks" SET (fillfactor = 50);

-- prisma/functions/queue_webhook_events.sql has what it does; until then it does nothing.
CREATE FUNCTION queue_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END; $$;
-- What writes lifecycle events queues them for webhooks in the same transaction. What moves events that are there already says so.
CREATE TRIGGER delivery_events_queued AFTER INSERT ON "delivery_events" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT WHEN (current_setting('tidings.moves_events', true) IS DISTINCT FROM 'on')
  EXECUTE FUNCTION queue_webhook_events();

-- No webhook wants an event of before.
WITH "last" AS (
  SELECT "global_position", "created_at" FROM "events" ORDER BY "global_position" DESC LIMIT 1
), "known" AS (
  INSERT INTO "projectors" ("projector_name") SELECT 'webhook-events' FROM "last" ON CONFLICT DO NOTHING
)
INSERT INTO "projector_positions" ("projector_name", "position", "moved_at")
  SELECT 'webhook-events', "global_position", "created_at" FROM "last" ON CONFLICT DO NOTHING;
