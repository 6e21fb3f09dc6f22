-- AlterTable
ALTER TABLE "event_partitions" ADD COLUMN     "archive_manifest" VARCHAR(255),
ADD COLUMN     "archived_at" TIMESTAMPTZ(6),
ADD COLUMN     "archived_bytes" BIGINT;

-- CreateTable
CREATE TABLE "event_archive_chunks" (
    "from_position" BIGINT NOT NULL,
    "sorted_by" VARCHAR(8) NOT NULL,
    "number" INTEGER NOT NULL,
    "object_key" VARCHAR(255) NOT NULL,
    "sha256" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,
    "events" INTEGER NOT NULL,
    "first_position" BIGINT NOT NULL,
    "first_stream" VARCHAR(255) NOT NULL,
    "first_place" INTEGER NOT NULL,
    "last_position" BIGINT NOT NULL,
    "last_stream" VARCHAR(255) NOT NULL,
    "last_place" INTEGER NOT NULL,
    "first_created_at" TIMESTAMPTZ(6) NOT NULL,
    "verified_at" TIMESTAMPTZ(6),

    CONSTRAINT "event_archive_chunks_pkey" PRIMARY KEY ("from_position","sorted_by","number")
);

-- By hand, from here on: what Prisma's schema language cannot say.

-- The chunk that has a position, the one that begins at a moment, and the one that has a place of a stream.
CREATE UNIQUE INDEX "event_archive_chunks_by_position" ON "event_archive_chunks" ("first_position") WHERE "sorted_by" = 'position';
CREATE INDEX "event_archive_chunks_by_moment" ON "event_archive_chunks" ("first_created_at", "first_position")
  WHERE "sorted_by" = 'position';
CREATE UNIQUE INDEX "event_archive_chunks_by_stream" ON "event_archive_chunks" ("from_position", "first_stream", "first_place")
  WHERE "sorted_by" = 'stream';
