-- AlterTable
ALTER TABLE "user_attribute_types" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "deleted_by" VARCHAR(64),
ADD COLUMN     "stripped_to" VARCHAR(64) NOT NULL DEFAULT '';
