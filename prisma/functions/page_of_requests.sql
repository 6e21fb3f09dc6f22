-- A page of notification requests, nearest to a place first, that reads a bounded number of rows whatever the filter is.
--
-- In:  whose (NULL: anybody's); of the filter (NULL: any): a user among the recipients, the type, the channel of one of the
--      deliveries, accepted at or after, accepted before, the status; the place (NULL: the beginning), whether it goes from newer
--      to older; how many at most; at how many requests to look, and about how many lifecycle events those may have whose
--      deliveries are looked at
-- Out: the requests in order. Where it has looked at enough before it found as many as it may: last, with "isMatch" false, the
--      request to go on after.
--
-- Goes through the index of what says most: a user's deliveries, or requests of the type, of the producer, or all of them.
CREATE OR REPLACE FUNCTION page_of_requests(
  whose text, of_user text, of_type text, of_channel text, since timestamptz, until timestamptz, of_status text,
  after_at timestamptz, after_id uuid, to_older boolean, most int, most_looked int, most_events int)
RETURNS TABLE ("requestId" uuid, "createdAt" timestamptz, "isMatch" boolean)
LANGUAGE plpgsql STABLE
-- Plans are made for a few rows of many, also where statistics say that there are few.
SET enable_seqscan = off
SET enable_bitmapscan = off
AS $$
DECLARE
  lowest constant uuid := '00000000-0000-0000-0000-000000000000';
  highest constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  direction constant text := CASE WHEN to_older THEN 'DESC' ELSE 'ASC' END;
  behind constant text := CASE WHEN to_older THEN '<' ELSE '>' END;
  place_at timestamptz := coalesce(after_at, CASE WHEN to_older THEN 'infinity' ELSE '-infinity' END::timestamptz);
  place_id uuid := coalesce(after_id, CASE WHEN to_older THEN highest ELSE lowest END);
  edge timestamptz := coalesce(CASE WHEN to_older THEN since ELSE until END, CASE WHEN to_older THEN '-infinity' ELSE 'infinity' END::timestamptz);
  within constant text := CASE WHEN to_older THEN '>=' ELSE '<' END;
  looks_at_deliveries constant boolean := of_status IS NOT NULL OR (of_channel IS NOT NULL AND of_user IS NULL);
  request record;
  looked int := 0;
  events bigint := 0;
  found int := 0;
  last_id uuid;
BEGIN
  -- One bound where the index is entered: of two, Postgres may take the one that is further away.
  IF to_older AND until <= place_at OR NOT to_older AND since > place_at THEN
    place_at := CASE WHEN to_older THEN until ELSE since END;
    place_id := lowest;
  END IF;

  FOR request IN EXECUTE CASE
    WHEN of_user IS NOT NULL THEN format(
      'SELECT request_id, created_at, notification_type AS type, producer, fallback_for_id IS NOT NULL AS is_fallback FROM deliveries
       WHERE user_id = $1 AND created_at %1$s= $4 AND (created_at, request_id) %1$s ($4, $5)
         AND created_at %2$s $6
       ORDER BY created_at %3$s, request_id %3$s LIMIT $7', behind, within, direction)
    ELSE format(
      'SELECT request_id, created_at, type, producer, false AS is_fallback FROM notification_requests
       WHERE (created_at, request_id) %1$s ($4, $5) AND created_at %2$s $6' ||
      CASE WHEN of_type IS NULL THEN '' ELSE ' AND type = $2' END || CASE WHEN whose IS NULL THEN '' ELSE ' AND producer = $3' END ||
      ' ORDER BY created_at %3$s, request_id %3$s LIMIT $7', behind, within, direction)
    END USING of_user, of_type, whose, place_at, place_id, edge, most_looked
  LOOP
    looked := looked + 1;
    "requestId" := request.request_id;
    "createdAt" := request.created_at;
    -- A user has a delivery for each channel. A fallback is made later than its request; what it takes the place of is the same
    -- user's, and as old as the request.
    CONTINUE WHEN request.is_fallback OR request.request_id = last_id;
    last_id := request.request_id;
    "isMatch" := (of_type IS NULL OR request.type = of_type) AND (whose IS NULL OR request.producer = whose);
    IF "isMatch" AND looks_at_deliveries THEN
      events := events + coalesce((SELECT r.last_event FROM notification_requests r
                                   WHERE r.request_id = last_id AND r.created_at >= uuid_earliest(last_id)), 0);
    END IF;
    IF "isMatch" AND of_channel IS NOT NULL THEN
      "isMatch" := EXISTS (SELECT FROM deliveries d
        WHERE d.request_id = last_id AND d.created_at >= uuid_earliest(last_id) AND d.channel = of_channel AND (of_user IS NULL OR d.user_id = of_user));
    END IF;
    "isMatch" := "isMatch" AND (of_status IS NULL OR request_status(last_id) = of_status);
    IF "isMatch" THEN
      found := found + 1;
      RETURN NEXT;
    END IF;
    EXIT WHEN found = most OR events >= most_events;
  END LOOP;
  IF found < most AND (looked = most_looked OR events >= most_events) THEN
    "isMatch" := false;
    RETURN NEXT;
  END IF;
END;
$$;
