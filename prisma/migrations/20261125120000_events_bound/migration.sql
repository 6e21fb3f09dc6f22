-- By hand: the log becomes a table of partitions by position, and what there is of it becomes the first partition, where it lies.
-- This migration says where that partition will end: at a round position, 25 million or more from now. New events are held to
-- it at once, which costs an exclusive lock for a moment; the next migration looks through those that there are.
DO $$
BEGIN
  EXECUTE format('ALTER TABLE "events" ADD CONSTRAINT "events_bound" CHECK ("global_position" >= 1 AND "global_position" < %s) NOT VALID', (
    SELECT ((coalesce(max("global_position"), 0) + 24999999) / 50000000 + 1) * 50000000 + 1 FROM "events"));
END;
$$;
