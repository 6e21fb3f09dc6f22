-- Takes a month out of deliveries, notification_requests and target_outcomes, but for what belongs to some requests: that moves to the
-- default partitions, where it stays for as long as its request does. Nobody reads or writes the tables while it runs: some
-- hundredths of a second for a thousand deliveries.
--
-- In:  the month: the end of its partitions' names; the requests that stay, as find_kept_deliveries found them; when that began
-- Out: whether it did. It did nothing where it does not have the first lock within 20 ms and each other one within 1 ms: nobody has to
--      wait behind it for longer; or where meanwhile a delivery of another request was given up, or waits again
--
-- Promises
--   What is pending stays so: it is moved without the triggers of deliveries, which fire for statements that name the whole table.
--   No pending_deliveries row is left of a delivery that went.
--   Deliveries are locked before requests, as apply_transitions and accept_notifications do.
CREATE OR REPLACE FUNCTION detach_month(month text, kept uuid[], since timestamptz) RETURNS boolean
LANGUAGE plpgsql
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  until timestamptz := partition_until(to_regclass('deliveries_' || month));
  late boolean;
BEGIN
  PERFORM set_config('lock_timeout', '20ms', true);
  LOCK TABLE ONLY deliveries IN ACCESS EXCLUSIVE MODE;
  PERFORM set_config('lock_timeout', '1ms', true);
  LOCK TABLE ONLY notification_requests, ONLY target_outcomes IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('ALTER TABLE deliveries DETACH PARTITION %I', 'deliveries_' || month);
  EXECUTE format('ALTER TABLE notification_requests DETACH PARTITION %I', 'notification_requests_' || month);
  EXECUTE format('ALTER TABLE target_outcomes DETACH PARTITION %I', month_of_targets(month));

  -- Given up since; it may have been settled, and made a fallback in a later month.
  EXECUTE format(
    'SELECT EXISTS (
       SELECT FROM failed_notifications f CROSS JOIN LATERAL (
         SELECT d.request_id FROM %I d WHERE d.delivery_id = f.delivery_id OFFSET 0) AS d
       WHERE f.failed_at >= $2 AND f.created_at < $3 AND d.request_id <> ALL ($1))', 'deliveries_' || month)
    -- By clocks that may be an hour apart.
    USING kept, since - interval '1 hour', until INTO late;
  IF late THEN
    RAISE lock_not_available;
  END IF;

  -- Whatever else made it wait again, also for a digest. UUIDv7 ids of the month are below its end, as uuid_earliest has it, and
  -- other ids hardly ever between there and the UUIDv7 ids of tomorrow.
  EXECUTE format(
    'SELECT EXISTS (
       SELECT FROM (SELECT delivery_id FROM pending_deliveries UNION ALL SELECT delivery_id FROM digest_items) AS p CROSS JOIN LATERAL (
         SELECT d.request_id FROM %I d WHERE d.delivery_id = p.delivery_id OFFSET 0) AS d
       WHERE (p.delivery_id < $2 OR p.delivery_id >= $3) AND d.request_id <> ALL ($1))', 'deliveries_' || month)
    USING kept, new_uuid_v7(until + interval '1 hour'), new_uuid_v7(clock_timestamp() + interval '1 day') INTO late;
  IF late THEN
    RAISE lock_not_available;
  END IF;

  EXECUTE format('INSERT INTO notification_requests_default SELECT * FROM %I r WHERE r.request_id = ANY ($1)',
    'notification_requests_' || month) USING kept;
  EXECUTE format(
    'INSERT INTO target_outcomes_default (delivery_id, target, error, provider_id, updated_at)
     SELECT o.delivery_id, o.target, o.error, o.provider_id, d.created_at
     FROM %I d CROSS JOIN LATERAL (SELECT * FROM %I o WHERE o.delivery_id = d.delivery_id OFFSET 0) AS o
     WHERE d.request_id = ANY ($1)', 'deliveries_' || month, month_of_targets(month)) USING kept;
  EXECUTE format('INSERT INTO deliveries_default SELECT * FROM %I d WHERE d.request_id = ANY ($1)', 'deliveries_' || month) USING kept;
  RETURN true;
EXCEPTION WHEN lock_not_available THEN
  RETURN false;
END;
$$;
