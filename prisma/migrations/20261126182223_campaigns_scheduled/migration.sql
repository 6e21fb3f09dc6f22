-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "schedule_at" TIMESTAMPTZ(3);
