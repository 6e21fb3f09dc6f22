-- AlterTable
ALTER TABLE "notification_requests" ADD COLUMN     "schedule_in_local_time" BOOLEAN NOT NULL DEFAULT false;
