-- Leases the heads of mailboxes, each for the worker that asks for it: one index look-up a mailbox and priority, however
-- many deliveries wait.
-- A head that somebody else is just claiming, finishing or reading is left to them.
--
-- In:  users, channels, priorities (most urgent first, separated by commas), lease tokens: four arrays of one length, no
--      mailbox twice; milliseconds of the lease; for each mailbox the sequence below which nothing waits any more (NULL: not
--      known), as an earlier claim has seen: while somebody holds an old snapshot, the index still has all that went
-- Out: a row for each mailbox that is not empty, with its place in the arrays ("n", from 1). Where somebody else holds
--      its head: "heldMs", how long the holder's lease lasts (0: a moment), and "heldBy", its token. Else the delivery,
--      whether its request was cancelled, whether it is taken over from somebody whose lease ended, and whether more wait behind it;
--      of a target that is a mail address or a number, why it is suppressed, if it is ("suppressedBy").
--      "sequence": the head's.
CREATE OR REPLACE FUNCTION claim_mailboxes(users text[], channels text[], priorities text[], tokens uuid[], lease_ms int, bounds bigint[])
RETURNS TABLE (n int, more boolean, "deliveryId" uuid, "requestId" uuid, "notificationId" text, producer text,
               "userId" text, "notificationType" text, channel text, priority text, attempt int, "maxRetries" int,
               content jsonb, "createdAt" timestamptz, "queuedAt" timestamptz, "isCancelled" boolean,
               "expiresAt" timestamptz, "leaseToken" uuid, "takenOver" boolean,
               "heldBy" uuid, "heldMs" int, "reachedSome" boolean, targets jsonb, sequence text)
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  places int[];
  heads uuid[];
  sequences bigint[];
  followed boolean[];
  repeats uuid[];
  -- Look-ups leave out the months before.
  made_from timestamptz;
  requested_from timestamptz;
BEGIN
  SELECT array_agg(a.n), array_agg(head.waiting[1]), array_agg(head.sequences[1]), array_agg(cardinality(head.waiting) > 1),
         array_agg(head.waiting[1]) FILTER (WHERE head.repeats[1])
    INTO places, heads, sequences, followed, repeats
    FROM unnest(users, channels, priorities, bounds) WITH ORDINALITY AS a (user_id, channel, priorities, bound, n)
    CROSS JOIN LATERAL (
      SELECT array_agg(found.delivery_id ORDER BY found.rank, found.sequence) AS waiting,
             array_agg(found.sequence ORDER BY found.rank, found.sequence) AS sequences,
             array_agg(found.is_repeat ORDER BY found.rank, found.sequence) AS repeats
      FROM (
        SELECT one.delivery_id, one.sequence, one.is_repeat, p.rank
        FROM unnest(string_to_array(a.priorities, ',')) WITH ORDINALITY AS p (priority, rank)
        CROSS JOIN LATERAL (
          SELECT d.delivery_id, d.sequence, d.is_repeat
          FROM pending_deliveries d
          -- In the words of pending_deliveries_waiting, which no other index has.
          WHERE d.user_id = a.user_id AND (d.channel || ':' || d.priority) = (a.channel || ':' || p.priority)
            AND (d.status = 'QUEUED') IS TRUE AND d.sequence >= coalesce(a.bound, 0)
          ORDER BY d.sequence
          LIMIT 2
        ) AS one
      ) AS found
    ) AS head
    WHERE head.waiting IS NOT NULL;
  made_from := uuids_earliest(heads);
  -- Known before rows are locked, and not found out in the statement that locks them: see test/schema/locks-and-partitions.unit.test.ts.
  SELECT uuids_earliest(array_agg(d.request_id)) INTO requested_from
    FROM deliveries d WHERE d.delivery_id = ANY (heads) AND d.created_at >= made_from;

  RETURN QUERY
  WITH first AS (
    SELECT f.n, f.delivery_id, f.sequence, f.more, tokens[f.n] AS token
    FROM unnest(places, heads, sequences, followed) AS f (n, delivery_id, sequence, more)
  ), locked AS (
    -- The status is looked at afterwards: here it would invite a plan that reads every mailbox.
    SELECT d.delivery_id, d.status, d.lease_token,
           extract(epoch FROM d.lease_until - clock_timestamp()) * 1000 AS held_ms
    FROM pending_deliveries d
    WHERE d.delivery_id = ANY (heads)
    FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE pending_deliveries d
    SET lease_token = first.token, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
    FROM locked JOIN first USING (delivery_id)
    WHERE d.delivery_id = ANY (heads) AND d.delivery_id = locked.delivery_id
      AND locked.status = 'QUEUED' AND (locked.held_ms IS NULL OR locked.held_ms < 0)
    RETURNING d.delivery_id, d.lease_token
  ), held AS (
    SELECT d.* FROM deliveries d WHERE d.delivery_id = ANY (heads) AND d.created_at >= made_from
  ), cancelled AS (
    SELECT r.request_id FROM notification_requests r
    WHERE r.request_id = ANY (ARRAY(SELECT held.request_id FROM held)) AND r.created_at >= requested_from
      AND r.cancelled_at IS NOT NULL
  )
  SELECT first.n, first.more, d.delivery_id, d.request_id, d.notification_id::text, d.producer::text, d.user_id::text,
    d.notification_type::text, d.channel::text, d.priority::text, d.attempt, d.max_retries, d.rendered_content,
    d.created_at, coalesce(d.queued_at, d.created_at),
    coalesce(d.request_id IN (SELECT cancelled.request_id FROM cancelled), false),
    d.expires_at, claimed.lease_token, coalesce(locked.held_ms < 0, false), locked.lease_token,
    coalesce(ceil(locked.held_ms), 0)::int,
    -- With a limit, so that it is looked up for each: EXISTS would be answered out of a hash of the whole table.
    (SELECT true FROM target_outcomes o
     WHERE o.delivery_id = d.delivery_id AND o.updated_at >= made_from AND o.error IS NULL LIMIT 1) IS NOT NULL,
    CASE
      WHEN d.channel = 'in_app' THEN
        jsonb_build_array(jsonb_build_object('id', d.channel, 'kind', d.channel, 'address', d.user_id))
      WHEN d.channel <> 'push' THEN
        jsonb_build_array(jsonb_build_object(
          'id', d.channel, 'kind', d.channel, 'address', d.recipient_address,
          'suppressedBy', (SELECT s.cause FROM address_suppressions s
                           WHERE s.address = suppressible_address(d.channel, d.recipient_address) AND s.channel = d.channel
                             AND s.removed_at IS NULL)))
      ELSE coalesce((
        -- A browser is addressed by its whole subscription, which former processes store as one: the keys beside it are older.
        SELECT jsonb_agg(jsonb_build_object(
                           'id', u.device_id, 'kind', u.platform, 'token', u.device_token,
                           'address', CASE
                             WHEN u.p256dh IS NULL OR u.device_token LIKE '{%' THEN u.device_token
                             ELSE jsonb_build_object('endpoint', u.device_token, 'keys',
                                                     jsonb_build_object('p256dh', u.p256dh, 'auth', u.auth))::text
                           END)
                         ORDER BY u.device_id)
        FROM user_devices u
        WHERE u.user_id = d.user_id AND u.is_active
          AND NOT EXISTS (SELECT FROM target_outcomes o
                          WHERE o.delivery_id = d.delivery_id AND o.updated_at >= made_from AND o.target = u.device_id)), '[]')
    END,
    first.sequence::text
  FROM first LEFT JOIN locked USING (delivery_id) LEFT JOIN claimed USING (delivery_id)
  LEFT JOIN held d ON d.delivery_id = claimed.delivery_id;

  -- An api process of the former version sees there that a call is on its way, and keeps a failure report until its answer. What
  -- was never called before belongs to this call, whichever process receives its report first.
  IF repeats IS NOT NULL THEN
    UPDATE deliveries d SET lease_token = p.lease_token, lease_until = p.lease_until
      FROM pending_deliveries p
      WHERE d.delivery_id = ANY (ARRAY(
          SELECT o.delivery_id FROM deliveries o
          WHERE o.delivery_id = ANY (repeats) AND o.created_at >= made_from FOR UPDATE SKIP LOCKED))
        AND d.created_at >= made_from AND p.delivery_id = d.delivery_id AND p.lease_token = ANY (tokens);
  END IF;
END;
$$;
