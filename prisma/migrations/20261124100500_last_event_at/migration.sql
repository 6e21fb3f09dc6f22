-- AlterTable
ALTER TABLE "notification_requests" ADD COLUMN     "last_event_at" TIMESTAMPTZ(3);
