-- CreateTable
CREATE TABLE "address_suppressions" (
    "suppression_id" UUID NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "address" VARCHAR(320) NOT NULL,
    "cause" VARCHAR(16) NOT NULL,
    "note" TEXT,
    "added_by" VARCHAR(64),
    "delivery_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "removed_by" VARCHAR(64),
    "removed_note" TEXT,

    CONSTRAINT "address_suppressions_pkey" PRIMARY KEY ("suppression_id")
);

-- CreateTable
CREATE TABLE "soft_bounces" (
    "channel" VARCHAR(16) NOT NULL,
    "address" VARCHAR(320) NOT NULL,
    "delivery_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "soft_bounces_pkey" PRIMARY KEY ("channel","address","delivery_id")
);

-- CreateIndex
CREATE INDEX "soft_bounces_at_idx" ON "soft_bounces"("at");

-- By hand, from here on: what Prisma's schema language cannot say.

-- Each claim of a mail or SMS looks it up, and each profile that is loaded.
CREATE UNIQUE INDEX "address_suppressions_in_force" ON "address_suppressions" ("address", "channel") WHERE "removed_at" IS NULL;
-- Lists, of all channels and of one, newest first.
CREATE INDEX "address_suppressions_by_time" ON "address_suppressions" ("created_at", "suppression_id") WHERE "removed_at" IS NULL;
CREATE INDEX "address_suppressions_of_channel" ON "address_suppressions" ("channel", "created_at", "suppression_id") WHERE "removed_at" IS NULL;
-- A report from before a removal does not bring the entry back.
CREATE INDEX "address_suppressions_removed" ON "address_suppressions" ("address", "channel", "removed_at") WHERE "removed_at" IS NOT NULL;
-- What is to be forgotten.
CREATE INDEX "address_suppressions_removed_at" ON "address_suppressions" ("removed_at") WHERE "removed_at" IS NOT NULL;
