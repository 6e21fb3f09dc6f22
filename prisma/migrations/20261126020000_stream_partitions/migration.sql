-- CreateTable
CREATE TABLE "event_partitions" (
    "from_position" BIGINT NOT NULL,
    "until_position" BIGINT NOT NULL,
    "indexed_stream" VARCHAR(255) NOT NULL DEFAULT '',
    "indexed_events" BIGINT NOT NULL DEFAULT 0,
    "sealed_at" TIMESTAMPTZ(6),

    CONSTRAINT "event_partitions_pkey" PRIMARY KEY ("from_position")
);

-- CreateTable
CREATE TABLE "stream_partitions" (
    "stream_id" VARCHAR(255) NOT NULL,
    "from_position" BIGINT NOT NULL,
    "until_position" BIGINT NOT NULL,
    "first_position" INTEGER NOT NULL,
    "last_position" INTEGER NOT NULL,

    CONSTRAINT "stream_partitions_pkey" PRIMARY KEY ("stream_id","from_position")
);

-- By hand, from here on: what Prisma's schema language cannot say.

-- Each append reads the last of it. The row of a partition that is being indexed is updated for each step, and is not in here: its
-- dead versions are in nobody's way.
CREATE INDEX "event_partitions_sealed" ON "event_partitions" ("until_position") WHERE "sealed_at" IS NOT NULL;
