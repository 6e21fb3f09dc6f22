-- Since when each entry waits. What was queued before counts from this migration on.
-- AlterTable
ALTER TABLE "delivery_search_queue" ADD COLUMN     "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
