-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "group_id" UUID;
