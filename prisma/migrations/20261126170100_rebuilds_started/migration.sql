-- AlterTable
ALTER TABLE "projector_rebuilds" ADD COLUMN     "started_at" TIMESTAMPTZ(6);
