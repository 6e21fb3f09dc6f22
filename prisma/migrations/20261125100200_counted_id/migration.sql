-- AlterTable
ALTER TABLE "posts" ADD COLUMN     "counted_id" BIGINT NOT NULL DEFAULT 0;
