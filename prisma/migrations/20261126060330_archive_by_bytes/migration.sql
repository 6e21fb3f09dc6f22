-- In the order in which readers lock them.
LOCK TABLE "stream_partitions", "event_partitions", "event_archive_chunks" IN ACCESS EXCLUSIVE MODE;

-- AlterTable
ALTER TABLE "event_partitions" ADD COLUMN     "archive_order" VARCHAR(16);

-- By hand, from here on: the archive is in the order of the bytes of streams' ids, whatever collation the database has. No row is
-- copied, and of the indexes only that of the archive's objects, a small table, is built under the lock.
ALTER TABLE "stream_partitions" DROP CONSTRAINT "stream_partitions_pkey";
ALTER TABLE "stream_partitions" ALTER COLUMN "stream_id" TYPE VARCHAR(255) COLLATE "C";
ALTER TABLE "stream_partitions" ADD CONSTRAINT "stream_partitions_pkey" PRIMARY KEY USING INDEX "stream_partitions_in_byte_order";

-- The column keeps the database's collation: former objects are in that order, and processes of the former version look for them in it.
DROP INDEX "event_archive_chunks_by_stream";
CREATE UNIQUE INDEX "event_archive_chunks_by_stream" ON "event_archive_chunks" ("from_position", "first_stream" COLLATE "C", "first_place")
  WHERE "sorted_by" = 'stream';

-- What is archived is in the order of the database's collation. These are certainly the order of bytes; others stay NULL. The libc's
-- C.UTF-8 is not among them: some systems had one of their own. `datlocale` is there from Postgres 17 on, as the provider `b` (builtin).
UPDATE "event_partitions" SET "archive_order" = 'C'
WHERE "archived_at" IS NOT NULL AND EXISTS (
  SELECT FROM pg_database d
  WHERE d.datname = current_database() AND CASE d.datlocprovider
    WHEN 'c' THEN d.datcollate IN ('C', 'POSIX')
    WHEN 'b' THEN to_jsonb(d) ->> 'datlocale' IN ('C', 'C.UTF-8', 'PG_UNICODE_FAST')
    ELSE false
  END);

-- What was begun in another order is written again.
DELETE FROM "event_archive_chunks" c USING "event_partitions" p
WHERE p."from_position" = c."from_position" AND p."archived_at" IS NULL AND c."sorted_by" = 'stream';

-- Its parameters change. Until they are replaced, processes of the former version archive nothing.
DROP FUNCTION IF EXISTS archive_lines(bigint, text, bigint, text, int, int);
