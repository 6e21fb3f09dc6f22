-- Writes a user's muted keywords beside MutedKeywordsSet. The event says that they changed, not what they are.
--
-- args: userId (user id), keywords
-- skips where these are the user's keywords already
CREATE OR REPLACE FUNCTION guard_set_muted_keywords(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  keywords text[] := ARRAY(SELECT jsonb_array_elements_text(args -> 'keywords'));
BEGIN
  INSERT INTO feed_settings AS s (user_id, muted_keywords) VALUES (args ->> 'userId', keywords)
  ON CONFLICT (user_id) DO UPDATE SET muted_keywords = keywords WHERE s.muted_keywords IS DISTINCT FROM keywords;
  IF NOT FOUND THEN
    RETURN '{"skip": true}';
  END IF;
  RETURN NULL;
END;
$$;
