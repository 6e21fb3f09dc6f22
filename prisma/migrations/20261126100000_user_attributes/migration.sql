-- CreateTable
CREATE TABLE "user_attribute_types" (
    "name" VARCHAR(64) NOT NULL,
    "type" VARCHAR(16) NOT NULL,
    "created_by" VARCHAR(64) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_attribute_types_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "user_attributes" (
    "user_id" VARCHAR(64) NOT NULL,
    "attributes" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_attributes_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "user_attributes_attributes_idx" ON "user_attributes" USING GIN ("attributes" jsonb_path_ops);
