-- CreateTable
CREATE TABLE "missed_redis_writes" (
    "id" BIGSERIAL NOT NULL,
    "keys" TEXT[],
    "topics" TEXT[],
    "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "applied_at" TIMESTAMPTZ(6),

    CONSTRAINT "missed_redis_writes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "redis_epochs" (
    "number" BIGSERIAL NOT NULL,
    "epoch" VARCHAR(128) NOT NULL,
    "accepted_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "redis_epochs_pkey" PRIMARY KEY ("number")
);

-- CreateIndex
CREATE INDEX "missed_redis_writes_xid_idx" ON "missed_redis_writes"("xid");

-- CreateIndex
CREATE UNIQUE INDEX "redis_epochs_epoch_key" ON "redis_epochs"("epoch");

-- Rows whose keys still have to be deleted: none, as long as Redis takes writes.
CREATE INDEX "missed_redis_writes_unapplied" ON "missed_redis_writes" ("xid", "id") WHERE "applied_at" IS NULL AND "keys" <> '{}';

-- Rows to be forgotten. It has none that wait: looks must not walk what has been applied by it.
CREATE INDEX "missed_redis_writes_applied" ON "missed_redis_writes" ("applied_at") WHERE "applied_at" IS NOT NULL;
