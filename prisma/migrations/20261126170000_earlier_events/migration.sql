-- AlterTable
ALTER TABLE "delivery_events" ADD COLUMN     "earlier" JSONB;
