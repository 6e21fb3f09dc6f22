-- Ends the processing of an upload beside MediaFinished, and gives the posts that hold it their next version: what is
-- cached of them is out of date from then on. The outcome is in the row already.
--
-- args: mediaId
-- skips where it is finished already, or is being removed
CREATE OR REPLACE FUNCTION guard_finish_media(args jsonb, log_position bigint) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE media SET state = CASE WHEN failure_reason IS NULL THEN 'ready' ELSE 'failed' END, touched_at = now()
  WHERE media_id = (args ->> 'mediaId')::uuid AND state = 'processing';
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  UPDATE posts SET version = log_position
  WHERE media_ids @> ARRAY[(args ->> 'mediaId')::uuid] AND media_ids <> '{}';
  RETURN NULL;
END;
$$;
