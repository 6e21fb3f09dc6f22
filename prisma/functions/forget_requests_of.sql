-- Deletes notification requests that are over, each with all that belongs to it: deliveries, what they are searched by, outcomes of targets,
-- audit records, and those lifecycle events that are in no day's partition (the others go with their day: find_kept_events).
--
-- In:  the partition whose requests to look at; the instant and id of the request to go on after; before which instant a request must
--      have been over; how many requests to look at, and about how many events they may have: what one transaction deletes is
--      bounded by both
-- Out: one row: the last request looked at (NULL: there was none), whether none is left behind it, how many were deleted
--
-- Promises
--   Kept is a request of which anything waits (scheduled, in a mailbox, to be retried, for a digest, or an open dead letter), or came
--   into a mailbox, was given up or settled since that instant.
--   It waits for no lock: what somebody works on is left for the next round.
CREATE OR REPLACE FUNCTION forget_requests_of(partition text, after_at timestamptz, after_id uuid, before timestamptz, most int, most_events int)
RETURNS TABLE ("lastAt" timestamptz, "lastId" uuid, "isLast" boolean, forgotten int)
LANGUAGE plpgsql
SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  gone uuid[];
  held uuid[];
  -- Before which nothing was made of what is looked at, by clocks that may be an hour apart.
  made_from timestamptz;
BEGIN
  EXECUTE format('WITH page AS MATERIALIZED (
    SELECT r.request_id, r.created_at, r.schedule_at,
           sum(r.last_event) OVER (ORDER BY r.created_at, r.request_id) - r.last_event AS events_before
    FROM (SELECT request_id, created_at, schedule_at, last_event
          FROM %I
          WHERE (created_at, request_id) > ($1, $2) AND created_at < $3
          ORDER BY created_at, request_id
          LIMIT $4) AS r
  ), taken AS (
    SELECT * FROM page WHERE events_before < $5
  )
  SELECT (array_agg(taken.created_at ORDER BY taken.created_at DESC, taken.request_id DESC))[1],
         (array_agg(taken.request_id ORDER BY taken.created_at DESC, taken.request_id DESC))[1],
         (SELECT count(*) FROM page) < $4 AND count(*) = (SELECT count(*) FROM page),
         coalesce(array_agg(taken.request_id) FILTER (WHERE coalesce(taken.schedule_at, taken.created_at) < $3), ''{}''),
         min(taken.created_at) - interval ''1 hour''
    FROM taken', partition)
    USING after_at, after_id, before, most, most_events INTO "lastAt", "lastId", "isLast", gone, made_from;

  held := ARRAY(SELECT d.delivery_id FROM deliveries d
    WHERE d.request_id = ANY (gone) AND d.created_at >= made_from FOR UPDATE SKIP LOCKED);
  gone := ARRAY(SELECT r.request_id FROM notification_requests r
    WHERE r.request_id = ANY (gone) AND r.created_at >= made_from FOR UPDATE SKIP LOCKED);

  -- A transaction that changes anything of a request locks one of its deliveries first: from here on, what is read does not change.
  gone := ARRAY(
    SELECT r.request_id FROM unnest(gone) AS r (request_id)
    WHERE NOT EXISTS (
      SELECT FROM deliveries d LEFT JOIN failed_notifications f ON f.delivery_id = d.delivery_id
      WHERE d.request_id = r.request_id AND d.created_at >= made_from
        AND (d.delivery_id <> ALL (held)
          OR d.status IN ('SCHEDULED', 'QUEUED', 'RETRYING')
          OR (d.suppression = 'DIGESTED' AND EXISTS (SELECT FROM digest_items i WHERE i.delivery_id = d.delivery_id OFFSET 0))
          OR coalesce(d.queued_at, d.created_at) >= before
          OR (f.delivery_id IS NOT NULL AND (f.settled_at IS NULL OR greatest(f.failed_at, f.settled_at) >= before)))));
  held := ARRAY(SELECT d.delivery_id FROM deliveries d WHERE d.request_id = ANY (gone) AND d.created_at >= made_from);

  DELETE FROM target_outcomes o WHERE o.delivery_id = ANY (held) AND o.updated_at >= made_from;
  DELETE FROM failed_notifications f WHERE f.delivery_id = ANY (held);
  DELETE FROM delivery_search_documents s WHERE s.delivery_id = ANY (held) AND s.created_at >= made_from;
  DELETE FROM deliveries d WHERE d.delivery_id = ANY (held) AND d.created_at >= made_from;
  DELETE FROM delivery_events_default e WHERE e.request_id = ANY (gone);
  DELETE FROM notification_requests r WHERE r.request_id = ANY (gone) AND r.created_at >= made_from;
  forgotten := cardinality(gone);
  RETURN NEXT;
END;
$$;
