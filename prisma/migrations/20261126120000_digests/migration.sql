-- CreateTable
CREATE TABLE "digest_items" (
    "delivery_id" UUID NOT NULL,
    "digest_id" VARCHAR(64) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "digest_items_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE INDEX "digest_items_due_at_digest_id_delivery_id_idx" ON "digest_items"("due_at", "digest_id", "delivery_id");
