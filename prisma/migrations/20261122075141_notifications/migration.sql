-- AlterTable
ALTER TABLE "notification_requests" ADD COLUMN     "schedule_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "due_at" TIMESTAMPTZ(3),
ADD COLUMN     "fallback_channels" VARCHAR(16)[] DEFAULT ARRAY[]::VARCHAR(16)[],
ADD COLUMN     "fallback_for_id" UUID,
ADD COLUMN     "variables" JSONB;

-- AlterTable
ALTER TABLE "failed_notifications" ADD COLUMN     "settled_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "inbox_items" (
    "item_id" UUID NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "title" TEXT,
    "body" TEXT NOT NULL,
    "action_url" TEXT,
    "image_url" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "archived_at" TIMESTAMPTZ(3),
    "change" BIGINT NOT NULL,

    CONSTRAINT "inbox_items_pkey" PRIMARY KEY ("item_id")
);

-- CreateTable
CREATE TABLE "inboxes" (
    "user_id" VARCHAR(64) NOT NULL,
    "last_change" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "inboxes_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "alerts" (
    "alert_id" UUID NOT NULL,
    "name" VARCHAR(64) NOT NULL,
    "scope" VARCHAR(64) NOT NULL DEFAULT '',
    "severity" VARCHAR(16) NOT NULL,
    "message" TEXT NOT NULL,
    "value" DOUBLE PRECISION NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "raised_at" TIMESTAMPTZ(3) NOT NULL,
    "resolved_at" TIMESTAMPTZ(3),
    "change" BIGINT NOT NULL,

    CONSTRAINT "alerts_pkey" PRIMARY KEY ("alert_id")
);

-- CreateIndex
CREATE INDEX "inbox_items_user_id_created_at_item_id_idx" ON "inbox_items"("user_id", "created_at" DESC, "item_id" DESC);

-- CreateIndex
CREATE INDEX "inbox_items_user_id_change_idx" ON "inbox_items"("user_id", "change");

-- CreateIndex
CREATE UNIQUE INDEX "alerts_change_key" ON "alerts"("change");

-- CreateIndex
CREATE INDEX "alerts_raised_at_alert_id_idx" ON "alerts"("raised_at" DESC, "alert_id" DESC);

-- By hand, from here on: what Prisma's schema language cannot say.

-- What is due next, of each priority.
CREATE INDEX "deliveries_due" ON "deliveries" ("priority", "due_at") WHERE "status" = 'SCHEDULED';

-- Open dead letters, newest first. They are counted here and no longer by their deliveries' status.
CREATE INDEX "failed_notifications_open" ON "failed_notifications" ("failed_at" DESC, "delivery_id" DESC)
  WHERE "settled_at" IS NULL;
DROP INDEX "deliveries_dead";

-- Unread items, to be counted without looking at anything else.
CREATE INDEX "inbox_items_unread" ON "inbox_items" ("user_id") WHERE "read_at" IS NULL AND "archived_at" IS NULL;

-- At most one alert of a rule is active for what it is about.
CREATE UNIQUE INDEX "alerts_active" ON "alerts" ("name", "scope") WHERE "resolved_at" IS NULL;

-- Many requests are accepted in one call now: accept_notifications.
DROP FUNCTION IF EXISTS accept_notification(jsonb);

-- A producer's requests in their order; one by its name is found by notification_requests_by_name.
DROP INDEX "notification_requests_producer_notification_id_idx";
CREATE INDEX "notification_requests_producer_created_at_request_id_idx" ON "notification_requests"("producer", "created_at", "request_id");

-- One function writes requests with their deliveries, one deliveries with their targets: checking each row once more, under
-- a lock, would cost as much as writing it.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_request_id_fkey";
ALTER TABLE "delivery_targets" DROP CONSTRAINT "delivery_targets_delivery_id_fkey";

-- A delivery is leased and finished soon after it is written, and its request counts its events: with room on the page a
-- lease touches no index.
ALTER TABLE "deliveries" SET (fillfactor = 50);
ALTER TABLE "notification_requests" SET (fillfactor = 80);

ALTER TABLE "deliveries" ADD COLUMN "queued_at" TIMESTAMPTZ(3);
ALTER TABLE "notification_requests" ADD COLUMN "cancelled_at" TIMESTAMPTZ(3);
