-- AlterTable
ALTER TABLE "inbox_entries" ADD COLUMN     "actor_count" INTEGER,
ADD COLUMN     "delivery_id" UUID,
ADD COLUMN     "revision" INTEGER;
