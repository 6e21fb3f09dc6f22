-- Of deliveries that have just been finished, those behind which something waits in their mailbox by now. A process whose claim was
-- refused a mailbox relies on this: whatever it was woken for was committed before it found the head leased, and so before
-- the head's holder locked it to finish it; a statement that begins after that lock sees it. Hence this is asked in the transaction that
-- finishes the delivery, after its function; being volatile, it has a snapshot of its own.
--
-- In:  deliveries, and the user, the channel, the priority and the sequence below which nothing waits (NULL: not known) of each one's
--      mailbox: five arrays of one length
-- Out: some of the deliveries
CREATE OR REPLACE FUNCTION followed_deliveries(deliveries uuid[], users text[], channels text[], priorities text[], bounds bigint[])
RETURNS uuid[]
LANGUAGE plpgsql VOLATILE
-- Plans are kept, and those made while the table was small would read it from end to end once it is not.
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
BEGIN
  RETURN ARRAY(
    SELECT a.delivery_id
    FROM unnest(deliveries, users, channels, priorities, bounds) AS a (delivery_id, user_id, channel, priority, bound)
    -- With a limit, so that it is looked up for each, in the words of pending_deliveries_waiting.
    WHERE (SELECT true FROM pending_deliveries d
           WHERE d.user_id = a.user_id AND (d.channel || ':' || d.priority) = (a.channel || ':' || a.priority)
             AND (d.status = 'QUEUED') IS TRUE AND d.sequence >= coalesce(a.bound, 0)
           LIMIT 1) IS NOT NULL);
END;
$$;
