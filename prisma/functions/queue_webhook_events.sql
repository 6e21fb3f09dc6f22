-- Queues new lifecycle events for the webhooks of their producers, in the transaction that writes them: the trigger of
-- delivery_events. Where nobody has an active webhook it is one look at an index; else each request of the statement is looked up, and
-- more is done for producers who have one.
--
-- Promises
--   An event has a row of webhook_deliveries for each webhook that wants it, or it was not committed.
--   As long as one waits, its webhook and request have a row of webhook_backlogs; `additions` grows with every statement that adds any.
--   Rows of webhook_backlogs are locked in the order of subject and webhook, after those of deliveries and requests.
CREATE OR REPLACE FUNCTION queue_webhook_events() RETURNS trigger
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  queued_at timestamptz := clock_timestamp();
BEGIN
  IF NOT EXISTS (SELECT FROM webhooks w WHERE w.is_active AND w.follows_lifecycle AND w.deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;

  WITH requests AS MATERIALIZED (
    SELECT r.*
    FROM (SELECT DISTINCT c.request_id FROM changed c) AS named
    CROSS JOIN LATERAL (
      SELECT q.request_id, q.producer, q.notification_id, q.type FROM notification_requests q
      WHERE q.request_id = named.request_id AND q.created_at >= uuid_earliest(named.request_id)
      LIMIT 1) AS r
  ), wanted AS MATERIALIZED (
    SELECT r.*, w.webhook_id, w.event_types
    FROM requests r
    CROSS JOIN LATERAL (
      SELECT h.webhook_id, h.event_types FROM webhooks h
      WHERE h.owner_id = r.producer AND h.is_active AND h.follows_lifecycle AND h.deleted_at IS NULL
        AND (h.notification_types = '{}' OR r.type = ANY (h.notification_types))
      OFFSET 0) AS w
  ), added AS (
    INSERT INTO webhook_deliveries (delivery_id, webhook_id, subject, number, event_type, data, happened_at, created_at)
    SELECT new_uuid_v7_in_order(queued_at, row_number() OVER (ORDER BY w.request_id, e.number)), w.webhook_id, w.request_id::text,
           e.number, e.event,
           jsonb_build_object('notification_id', w.notification_id, 'request_id', w.request_id, 'delivery_id', c.delivery_id,
             'user_id', d.user_id, 'channel', d.channel, 'notification_type', w.type, 'event', e.event, 'status', c.status,
             'number', e.number, 'detail', e.detail),
           c.at, queued_at
    FROM wanted w
    JOIN changed c ON c.request_id = w.request_id
    JOIN LATERAL lifecycle_events_of(c.number, c.event, c.detail, c.earlier) AS e ON e.event = ANY (w.event_types)
    CROSS JOIN LATERAL (
      SELECT o.user_id, o.channel FROM deliveries o
      WHERE o.delivery_id = c.delivery_id AND o.created_at >= uuid_earliest(c.delivery_id)
      LIMIT 1) AS d
    RETURNING webhook_id, subject
  )
  INSERT INTO webhook_backlogs AS b (webhook_id, subject, due_at)
    SELECT a.webhook_id, a.subject, queued_at
    FROM (SELECT DISTINCT webhook_id, subject FROM added) AS a
    ORDER BY a.subject, a.webhook_id
    ON CONFLICT (webhook_id, subject) DO UPDATE SET additions = b.additions + 1;
  RETURN NULL;
END;
$$;
