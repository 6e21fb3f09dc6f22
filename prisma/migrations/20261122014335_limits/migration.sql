-- CreateTable
CREATE TABLE "rate_limit_rules" (
    "sequence" SERIAL NOT NULL,
    "version" VARCHAR(12) NOT NULL,
    "document" TEXT NOT NULL,
    "put_by" VARCHAR(64) NOT NULL,
    "put_at" TIMESTAMPTZ(6) NOT NULL,
    "correlation_id" VARCHAR(128) NOT NULL,

    CONSTRAINT "rate_limit_rules_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "rate_limit_sources" (
    "version" VARCHAR(12) NOT NULL,
    "seen_after" INTEGER NOT NULL,

    CONSTRAINT "rate_limit_sources_pkey" PRIMARY KEY ("version")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "api_key_id" VARCHAR(32) NOT NULL,
    "hash" CHAR(64) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "roles" TEXT[],
    "plan" VARCHAR(64) NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("api_key_id")
);

-- CreateIndex
CREATE INDEX "api_keys_user_id_idx" ON "api_keys"("user_id");
