-- CreateTable
CREATE TABLE "link_previews" (
    "post_id" UUID NOT NULL,
    "url" VARCHAR(2048) NOT NULL,
    "state" VARCHAR(8) NOT NULL DEFAULT 'waiting',
    "title" TEXT,
    "image_url" TEXT,
    "attempts" SMALLINT NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "fetched_at" TIMESTAMPTZ(3),

    CONSTRAINT "link_previews_pkey" PRIMARY KEY ("post_id")
);

-- CreateIndex
CREATE INDEX "link_previews_url_fetched_at_idx" ON "link_previews"("url", "fetched_at" DESC);

-- CreateIndex
CREATE INDEX "link_previews_state_due_at_idx" ON "link_previews"("state", "due_at");
