-- Accepts one notification request: its id, the request, its deliveries and their first lifecycle events.
--
-- In (one JSON object)
--   producer, notificationId, requestId, bodyHash (hex), response   what a repeat is answered
--   type, priority, templateId, expiresAt, correlationId, maxRetries
--   at             the instant of acceptance
--   forgetBefore   an id first seen before this instant is free again
--   deliveries     [{deliveryId, userId, channel, status, suppression, content, address, steps: [{event, detail}]}]
-- Out
--   {"outcome": "accepted"}            everything is stored
--   {"outcome": "repeated", response}  the id stands for the same body: nothing is stored
--   {"outcome": "reused"}              the id stands for another body: nothing is stored
--
-- Promises
--   Of several calls with one id at once, one is accepted; the others wait for it and see what it stored.
--   Lifecycle events are numbered from 1 without gaps; last_event is the highest.
CREATE OR REPLACE FUNCTION accept_notification(request jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  known notification_ids%ROWTYPE;
  v_producer text := request ->> 'producer';
  v_notification_id text := request ->> 'notificationId';
  v_request_id uuid := (request ->> 'requestId')::uuid;
  v_hash bytea := decode(request ->> 'bodyHash', 'hex');
  v_at timestamptz := (request ->> 'at')::timestamptz;
  v_expires_at timestamptz := (request ->> 'expiresAt')::timestamptz;
BEGIN
  INSERT INTO notification_ids AS ids (producer, notification_id, request_id, body_hash, response, first_seen)
    VALUES (v_producer, v_notification_id, v_request_id, v_hash, request -> 'response', v_at)
    ON CONFLICT (producer, notification_id) DO UPDATE
      SET request_id = excluded.request_id, body_hash = excluded.body_hash,
          response = excluded.response, first_seen = excluded.first_seen
      WHERE ids.first_seen < (request ->> 'forgetBefore')::timestamptz;
  IF NOT FOUND THEN
    SELECT * INTO STRICT known FROM notification_ids
      WHERE producer = v_producer AND notification_id = v_notification_id;
    IF known.body_hash <> v_hash THEN
      RETURN jsonb_build_object('outcome', 'reused');
    END IF;
    RETURN jsonb_build_object('outcome', 'repeated', 'response', known.response);
  END IF;

  INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, expires_at,
                                     correlation_id, last_event, created_at)
    VALUES (v_request_id, v_producer, v_notification_id, request ->> 'type', request ->> 'priority',
            request ->> 'templateId', v_expires_at, request ->> 'correlationId',
            (SELECT coalesce(sum(jsonb_array_length(d -> 'steps')), 0)
               FROM jsonb_array_elements(request -> 'deliveries') AS d),
            v_at);

  INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                          priority, status, suppression, max_retries, rendered_content, recipient_address,
                          created_at, expires_at)
    SELECT (d ->> 'deliveryId')::uuid, v_request_id, v_notification_id, v_producer, d ->> 'userId',
           request ->> 'type', d ->> 'channel', request ->> 'priority', d ->> 'status', d ->> 'suppression',
           (request ->> 'maxRetries')::int, d -> 'content', d ->> 'address', v_at, v_expires_at
      FROM jsonb_array_elements(request -> 'deliveries') WITH ORDINALITY AS e (d, n)
      ORDER BY n;

  INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, at)
    SELECT v_request_id, row_number() OVER (ORDER BY n, m), (d ->> 'deliveryId')::uuid, step ->> 'event',
           d ->> 'status', step -> 'detail', v_at
      FROM jsonb_array_elements(request -> 'deliveries') WITH ORDINALITY AS e (d, n)
      CROSS JOIN LATERAL jsonb_array_elements(d -> 'steps') WITH ORDINALITY AS s (step, m);

  RETURN jsonb_build_object('outcome', 'accepted');
END;
$$;
