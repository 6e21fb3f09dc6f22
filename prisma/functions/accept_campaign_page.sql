-- Stores a page of a campaign: the page, a request with its deliveries and their first lifecycle events, as accept_notifications does,
-- all of it in one transaction. Many users share what is stored of them, so each is an id and a number; nothing is parsed for each.
--
-- In
--   campaign, number the page's number, the one after the newest that the caller knows
--   looked_at        the last user whom the page has looked at
--   request          {requestId, notificationId, at, queued, events: how many lifecycle events there are}; of a page without users
--                    requestId is not looked at
--   kinds            a JSON array of {channel, status, suppression, content, variables, dueAt, digest: {id, dueAt}, maxRetries,
--                    steps: [{event, detail}]}; "digest": the one that it goes out with
--   user_ids, delivery_ids, kind_of (places in kinds, from 1), addresses, first_events (how many events the deliveries before have):
--                    five arrays of one length, a row for each user
-- Out: whether it was stored; not where the campaign is not RUNNING any more, or has a page of this number: then nothing was stored
--
-- Promises
--   A user who is looked at once is stored once: of several processes that have come equally far one stores the page, and a process
--   that was killed has stored all of it or nothing.
--   A change of the campaign's status waits for a page that is being stored, and nothing is stored after it.
--   Deliveries are taken before requests, events are numbered from 1 without gaps, and nothing is created before uuid_earliest of its
--   id: see accept_notifications. Notification ids are not taken: those of pages hold the campaign's id, which nobody knows before.
CREATE OR REPLACE FUNCTION accept_campaign_page(
  campaign uuid, number int, looked_at text, request jsonb, kinds jsonb,
  user_ids text[], delivery_ids uuid[], kind_of int[], addresses text[], first_events int[])
RETURNS boolean
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
-- Kept they are also for few: planning anew for each short array takes longer than the work.
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict error
DECLARE
  about record;
  users constant int := cardinality(user_ids);
  to_send constant int := (request ->> 'queued')::int;
  made_id constant uuid := (request ->> 'requestId')::uuid;
  made_name constant text := request ->> 'notificationId';
  made_at constant timestamptz := (request ->> 'at')::timestamptz;
  -- UUIDv7s sort by time: what holds for the newest id of the page holds for all.
  stored_at constant timestamptz := greatest(made_at, uuid_earliest(made_id),
    (SELECT uuid_earliest(d.id) FROM unnest(delivery_ids) AS d (id) ORDER BY d.id DESC LIMIT 1));
BEGIN
  SELECT c.producer, c.type, c.priority, c.template_id, c.correlation_id INTO about
    FROM campaigns c WHERE c.campaign_id = campaign AND c.status = 'RUNNING' FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;

  INSERT INTO campaign_pages (campaign_id, page, request_id, after, matched, queued, suppressed, created_at)
    SELECT campaign, number, CASE WHEN users > 0 THEN made_id END, looked_at,
           coalesce(sum(former.matched), 0) + users, coalesce(sum(former.queued), 0) + to_send,
           coalesce(sum(former.suppressed), 0) + users - to_send, made_at
      FROM campaign_pages former
      WHERE former.campaign_id = campaign AND former.page = number - 1
    ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF users = 0 THEN
    RETURN true;
  END IF;

  -- In the order in which everybody locks both tables: see detach_month.
  LOCK TABLE ONLY deliveries IN ROW EXCLUSIVE MODE;

  INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event,
                                     last_event_at, created_at)
    VALUES (made_id, about.producer, made_name, about.type, about.priority, about.template_id, about.correlation_id,
            (request ->> 'events')::int, made_at, stored_at);

  INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status,
                          suppression, max_retries, rendered_content, recipient_address, variables, due_at, queued_at, created_at)
    SELECT d.delivery_id, made_id, made_name, about.producer, d.user_id, about.type, k.channel, about.priority, k.status,
           k.suppression, k."maxRetries", k.content, d.address, k.variables, k."dueAt", CASE k.status WHEN 'QUEUED' THEN made_at END,
           stored_at
      FROM unnest(delivery_ids, user_ids, kind_of, addresses) AS d (delivery_id, user_id, kind, address)
      JOIN ROWS FROM (jsonb_to_recordset(kinds) AS (channel text, status text, suppression text, content jsonb, variables jsonb,
             "dueAt" timestamptz, "maxRetries" int))
             WITH ORDINALITY AS k (channel, status, suppression, content, variables, "dueAt", "maxRetries", n) ON k.n = d.kind;

  INSERT INTO delivery_events (request_id, number, delivery_id, event, status, detail, earlier, at)
    SELECT made_id, d.first + k.events, d.delivery_id, k.event, k.status, k.detail, k.earlier, made_at
      FROM unnest(delivery_ids, kind_of, first_events) AS d (delivery_id, kind, first)
      JOIN (
        SELECT k.n, k.kind ->> 'status' AS status, jsonb_array_length(k.kind -> 'steps') AS events,
               k.kind -> 'steps' -> -1 ->> 'event' AS event, k.kind -> 'steps' -> -1 -> 'detail' AS detail,
               nullif((k.kind -> 'steps') - -1, '[]') AS earlier
        FROM jsonb_array_elements(kinds) WITH ORDINALITY AS k (kind, n)
        OFFSET 0
      ) AS k ON k.n = d.kind;

  IF jsonb_path_exists(kinds, '$[*].digest') THEN
    INSERT INTO digest_items (delivery_id, digest_id, due_at)
      SELECT d.delivery_id, k.kind -> 'digest' ->> 'id', (k.kind -> 'digest' ->> 'dueAt')::timestamptz
        FROM unnest(delivery_ids, kind_of) AS d (delivery_id, kind)
        JOIN jsonb_array_elements(kinds) WITH ORDINALITY AS k (kind, n) ON k.n = d.kind
        WHERE k.kind ? 'digest';
  END IF;
  RETURN true;
END;
$$;
