-- How far a request has come, by its deliveries: completed once none of them waits to be sent.
-- Suppressed deliveries are not counted.
--
-- In:  request id
-- Out: SCHEDULED (all wait for their time), ACCEPTED (all are queued), PROCESSING, CANCELLED (all were), EXPIRED (all
--      did) or COMPLETED
CREATE OR REPLACE FUNCTION request_status(request uuid) RETURNS text
LANGUAGE plpgsql STABLE AS $$
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
      SELECT count(*) FILTER (WHERE d.status <> 'SUPPRESSED') AS total,
             count(*) FILTER (WHERE d.status = 'SCHEDULED') AS scheduled,
             count(*) FILTER (WHERE d.status = 'QUEUED') AS queued,
             count(*) FILTER (WHERE d.status = 'RETRYING') AS retrying,
             count(*) FILTER (WHERE d.status = 'CANCELLED') AS cancelled,
             count(*) FILTER (WHERE d.status = 'EXPIRED') AS expired
      FROM deliveries d
      WHERE d.request_id = request AND d.created_at >= uuid_earliest(request)
    ) AS counted);
END;
$$;
