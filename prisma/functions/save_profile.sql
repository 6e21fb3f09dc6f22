-- Saves a profile. An upload that was the former picture, and that nothing holds any more, is marked for removal once its first day is over:
-- until then it is an upload like any other, and the sweep looks at it.
--
-- In:  user id, name, picture's URL or NULL, whether it replaces the former one, the last media id whose first day is over
-- Out: false where the new picture is an upload of theirs that is being removed: then nothing is saved
--
-- Holds the append lock where the picture changes, as all do that come to hold media, and takes it before it locks the user, as inline
-- projections do. The user's media, which may be many, are looked through before.
CREATE OR REPLACE FUNCTION save_profile(saved_user text, new_name text, picture text, replaces boolean, day_over uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  former text;
  last_former text;
  named uuid[];
  released uuid[];
BEGIN
  SELECT u.avatar_url INTO former FROM users u WHERE u.user_id = saved_user;
  IF NOT replaces OR picture IS NOT DISTINCT FROM former THEN
    INSERT INTO users (user_id, display_name, last_seen_at) VALUES (saved_user, new_name, now())
    ON CONFLICT (user_id) DO UPDATE SET display_name = new_name;
    RETURN true;
  END IF;
  named := ARRAY(SELECT media_in_url(saved_user, picture));
  released := ARRAY(SELECT media_in_url(saved_user, former));

  PERFORM pg_advisory_xact_lock(7236837468201);
  SELECT u.avatar_url INTO last_former FROM users u WHERE u.user_id = saved_user;
  IF last_former IS DISTINCT FROM former THEN
    released := ARRAY(SELECT media_in_url(saved_user, last_former));
  END IF;
  IF EXISTS (SELECT FROM unnest(named) AS n (id) LEFT JOIN media m ON m.media_id = n.id
      WHERE m.media_id IS NULL OR m.state = 'removing') THEN
    RETURN false;
  END IF;
  INSERT INTO users (user_id, display_name, avatar_url, last_seen_at) VALUES (saved_user, new_name, picture, now())
  ON CONFLICT (user_id) DO UPDATE SET display_name = new_name, avatar_url = picture;
  PERFORM FROM begin_media_removal(ARRAY(SELECT r.id FROM unnest(released) AS r (id) WHERE r.id <= day_over));
  RETURN true;
END;
$$;
