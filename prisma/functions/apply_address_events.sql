-- Keeps the suppression list by what providers answer and report of addresses (see address-event.ts).
--
-- In:  a JSON array of {channel, address, kind, deliveryId, at}
--        HARD_BOUNCE, COMPLAINT, STOP   the address is suppressed
--        SOFT_BOUNCE                    it is suppressed where this is the fifth delivery in a row within 30 days
--        DELIVERED                      soft bounces until then do not count any more
--
-- Promises
--   A repeat changes nothing: a delivery is one soft bounce at most, and what was reported before an entry was removed does not
--   bring it back.
--   An entry that is there stays, but that a COMPLAINT gives way to any other cause, since critical notifications pass a complaint
--   alone; and bounces give way to a STOP, whose sender reads what comes there, and ends it by a START.
--   Whatever a call may write of addresses, it locks them first, all in one order, so that no two transactions wait for each other in
--   a circle. So a transaction calls it once.
CREATE OR REPLACE FUNCTION apply_address_events(events jsonb) RETURNS void
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  counted_for constant interval := '720 hours';
  enough constant int := 5;
BEGIN
  -- Of two soft bounces at once the later one counts the earlier one. Most messages are delivered where nothing has bounced: these
  -- lock nothing.
  PERFORM pg_advisory_xact_lock(hashtextextended(touched.channel || touched.address, 2036117758))
    FROM (SELECT DISTINCT e.channel, suppressible_address(e.channel, e.address) AS address
            FROM jsonb_to_recordset(events) AS e(channel text, address text, kind text)
            WHERE e.kind <> 'DELIVERED'
               OR EXISTS (SELECT FROM soft_bounces b
                          WHERE b.channel = e.channel AND b.address = suppressible_address(e.channel, e.address))
            ORDER BY 1, 2) AS touched;

  IF jsonb_path_exists(events, '$[*] ? (@.kind == "DELIVERED")') THEN
    DELETE FROM soft_bounces WHERE ctid = ANY (ARRAY(
      SELECT b.ctid
        FROM jsonb_to_recordset(events) AS e(channel text, address text, kind text, at timestamptz)
        JOIN soft_bounces b ON b.channel = e.channel AND b.address = suppressible_address(e.channel, e.address) AND b.at <= e.at
        WHERE e.kind = 'DELIVERED'
        ORDER BY b.channel, b.address, b.delivery_id
        FOR UPDATE OF b));
  END IF;

  IF jsonb_path_exists(events, '$[*] ? (@.kind == "SOFT_BOUNCE")') THEN
    INSERT INTO soft_bounces (channel, address, delivery_id, at)
      SELECT e.channel, suppressible_address(e.channel, e.address), e."deliveryId", e.at
        FROM jsonb_to_recordset(events) AS e(channel text, address text, kind text, "deliveryId" uuid, at timestamptz)
        WHERE e.kind = 'SOFT_BOUNCE'
          AND NOT EXISTS (SELECT FROM jsonb_to_recordset(events) AS d(channel text, address text, kind text, at timestamptz)
                          WHERE d.kind = 'DELIVERED' AND d.at >= e.at AND d.channel = e.channel
                            AND suppressible_address(d.channel, d.address) = suppressible_address(e.channel, e.address))
        ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING;
  END IF;

  IF jsonb_path_exists(events, '$[*] ? (@.kind <> "DELIVERED")') THEN
    INSERT INTO address_suppressions AS s (suppression_id, channel, address, cause, delivery_id, created_at)
      SELECT DISTINCT ON (found.address, found.channel)
             new_uuid_v7(clock_timestamp()), found.channel, found.address, found.cause, found.delivery_id, found.at
        FROM (
          SELECT e.channel, suppressible_address(e.channel, e.address) AS address, e."deliveryId" AS delivery_id, e.at,
                 CASE e.kind WHEN 'SOFT_BOUNCE' THEN 'SOFT_BOUNCES' ELSE e.kind END AS cause
            FROM jsonb_to_recordset(events) AS e(channel text, address text, kind text, "deliveryId" uuid, at timestamptz)
            WHERE e.kind <> 'DELIVERED'
        ) AS found
        WHERE (found.cause <> 'SOFT_BOUNCES'
               OR (SELECT count(*) FROM soft_bounces b
                   WHERE b.channel = found.channel AND b.address = found.address
                     AND b.at > found.at - counted_for) >= enough)
          AND NOT EXISTS (SELECT FROM address_suppressions r
                          WHERE r.address = found.address AND r.channel = found.channel AND r.removed_at >= found.at)
        -- The cause that lets nobody pass first.
        ORDER BY found.address, found.channel, found.cause = 'COMPLAINT', found.cause <> 'STOP', found.at
      ON CONFLICT (address, channel) WHERE removed_at IS NULL DO UPDATE
        SET cause = excluded.cause, delivery_id = excluded.delivery_id
        WHERE s.cause = 'COMPLAINT' AND excluded.cause <> 'COMPLAINT'
           OR s.cause IN ('SOFT_BOUNCES', 'HARD_BOUNCE') AND excluded.cause = 'STOP';
  END IF;
END;
$$;
