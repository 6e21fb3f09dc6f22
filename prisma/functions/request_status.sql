-- How far a request has come, by its deliveries: completed once none of them waits to be sent.
-- Suppressed deliveries are not counted, but for those that wait for a digest: they are scheduled until it is sent.
--
-- In:  request id
-- Out: SCHEDULED (all wait for their time), ACCEPTED (all are queued), PROCESSING, CANCELLED (all were), EXPIRED (all
--      did) or COMPLETED
CREATE OR REPLACE FUNCTION request_status(request uuid) RETURNS text
LANGUAGE plpgsql STABLE
-- Plans are kept, and those made while digest_items was small would read all of it.
SET enable_seqscan = off
AS $$
BEGIN
  RETURN (
    SELECT CASE
             WHEN scheduled + queued + retrying > 0 THEN
               CASE WHEN scheduled = total THEN 'SCHEDULED' WHEN queued = total THEN 'ACCEPTED' ELSE 'PROCESSING' END
             WHEN total > 0 AND cancelled = total THEN 'CANCELLED'
             WHEN total > 0 AND expired = total THEN 'EXPIRED'
             ELSE 'COMPLETED'
           END
    FROM (
      SELECT count(*) FILTER (WHERE now.status <> 'SUPPRESSED') AS total,
             count(*) FILTER (WHERE now.status = 'SCHEDULED') AS scheduled,
             count(*) FILTER (WHERE now.status = 'QUEUED') AS queued,
             count(*) FILTER (WHERE now.status = 'RETRYING') AS retrying,
             count(*) FILTER (WHERE now.status = 'CANCELLED') AS cancelled,
             count(*) FILTER (WHERE now.status = 'EXPIRED') AS expired
      FROM (
        SELECT CASE WHEN d.status = 'SUPPRESSED' AND d.suppression = 'DIGESTED'
                      -- Looked up one by one, whatever statistics say.
                      AND EXISTS (SELECT FROM digest_items i WHERE i.delivery_id = d.delivery_id OFFSET 0)
                    THEN 'SCHEDULED' ELSE d.status END AS status
        FROM deliveries d
        WHERE d.request_id = request AND d.created_at >= uuid_earliest(request)
      ) AS now
    ) AS counted);
END;
$$;
