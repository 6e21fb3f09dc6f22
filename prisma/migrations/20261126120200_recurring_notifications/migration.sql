-- CreateTable
CREATE TABLE "notification_schedules" (
    "series_id" UUID NOT NULL,
    "producer" VARCHAR(64) NOT NULL,
    "schedule_id" VARCHAR(40) NOT NULL,
    "rrule" VARCHAR(500) NOT NULL,
    "timezone" VARCHAR(64),
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "request" JSONB NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "next_at" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3),
    "occurrences" INTEGER NOT NULL DEFAULT 0,
    "last_notification_id" VARCHAR(64),
    "last_error" VARCHAR(64),
    "correlation_id" VARCHAR(128) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "notification_schedules_pkey" PRIMARY KEY ("series_id")
);

-- CreateIndex
CREATE INDEX "notification_schedules_producer_series_id_idx" ON "notification_schedules"("producer", "series_id");

-- CreateIndex
CREATE INDEX "notification_schedules_due_at_idx" ON "notification_schedules"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "notification_schedules_producer_schedule_id_key" ON "notification_schedules"("producer", "schedule_id");


-- By hand: a producer's schedules that are not over are counted when another is made.
CREATE INDEX "notification_schedules_open" ON "notification_schedules" ("producer") WHERE "status" IN ('ACTIVE', 'PAUSED');

-- By hand: schedules that are over are forgotten by when they ended.
CREATE INDEX "notification_schedules_ended" ON "notification_schedules" ("ended_at") WHERE "ended_at" IS NOT NULL;
