-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "created_by" VARCHAR(64),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3),
ADD COLUMN     "name" VARCHAR(100),
ADD COLUMN     "revoked_by" VARCHAR(64);

-- DropIndex
DROP INDEX "api_keys_user_id_idx";

-- CreateIndex
CREATE INDEX "api_keys_created_at_api_key_id_idx" ON "api_keys"("created_at", "api_key_id");

-- CreateIndex
CREATE INDEX "api_keys_user_id_created_at_api_key_id_idx" ON "api_keys"("user_id", "created_at", "api_key_id");
