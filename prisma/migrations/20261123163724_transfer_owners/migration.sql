-- AlterTable
ALTER TABLE "pending_transfers" ADD COLUMN     "owner_id" VARCHAR(64) NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "pending_transfers_owner_id_idx" ON "pending_transfers"("owner_id");

-- Those that are pending belong to whoever owned their source when they began.
UPDATE "pending_transfers" p SET "owner_id" = e."data" ->> 'ownerId'
FROM "events" e WHERE e."stream_id" = 'Transfer-' || p."transfer_id" AND e."stream_position" = 0;
