-- CreateTable
CREATE TABLE "outbox" (
    "key" TEXT NOT NULL,
    "kind" VARCHAR(32) NOT NULL,
    "payload" JSONB NOT NULL,
    "correlation_id" TEXT NOT NULL DEFAULT '',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE INDEX "outbox_kind_due_at_idx" ON "outbox"("kind", "due_at");

-- By hand: transfers of one source, and of one owner, are counted when another begins. No other kind has these keys: who looks
-- by them names no kind, so that there is no other index to look by, whatever the plan was made from.
CREATE INDEX "outbox_from_account" ON "outbox" (("payload" ->> 'fromAccountId')) WHERE "payload" ->> 'fromAccountId' IS NOT NULL;
CREATE INDEX "outbox_from_owner" ON "outbox" (("payload" ->> 'fromOwnerId')) WHERE "payload" ->> 'fromOwnerId' IS NOT NULL;
