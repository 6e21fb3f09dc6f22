-- AlterTable
ALTER TABLE "event_partitions" ADD COLUMN     "archive_order" VARCHAR(16);

-- By hand, from here on: the archive is in the order of the bytes of streams' ids, whatever collation the database has. No row is
-- copied; the indexes are built again, of the directory of sealed partitions and of the archive's objects.
ALTER TABLE "stream_partitions" ALTER COLUMN "stream_id" TYPE VARCHAR(255) COLLATE "C";
ALTER TABLE "event_archive_chunks" ALTER COLUMN "first_stream" TYPE VARCHAR(255) COLLATE "C",
  ALTER COLUMN "last_stream" TYPE VARCHAR(255) COLLATE "C";

-- What was begun in another order is written again.
DELETE FROM "event_archive_chunks" c USING "event_partitions" p
WHERE p."from_position" = c."from_position" AND p."archived_at" IS NULL AND c."sorted_by" = 'stream';

-- Its parameters change.
DROP FUNCTION IF EXISTS archive_lines(bigint, text, bigint, text, int, int);
