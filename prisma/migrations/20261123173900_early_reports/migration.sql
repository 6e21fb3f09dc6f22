-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "early_reports" JSONB;
