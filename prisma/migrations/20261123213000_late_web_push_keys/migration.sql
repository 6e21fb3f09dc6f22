-- In a rolling upgrade former processes still register browsers by the whole subscription, and leave the keys of the row as
-- they were. Such a row becomes what processes of now write: endpoint and keys apart, and nobody else has that endpoint. To be
-- dropped by a later version. Behind the statement, since its ON CONFLICT would update by what a BEFORE trigger made of the
-- inserted row.
CREATE FUNCTION split_web_push_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  parts text[] := regexp_match(NEW.device_token,
    '^\{"endpoint":"([^"\\]+)","keys":\{"p256dh":"([\w-]{87})","auth":"([\w-]{22})"\}\}$');
BEGIN
  IF parts IS NOT NULL THEN
    DELETE FROM user_devices WHERE device_token = parts[1] AND (user_id, device_id) <> (NEW.user_id, NEW.device_id);
    UPDATE user_devices SET device_token = parts[1], p256dh = parts[2], auth = parts[3]
      WHERE user_id = NEW.user_id AND device_id = NEW.device_id;
  END IF;
  RETURN NULL;
END;
$$;
CREATE TRIGGER web_push_subscriptions_are_split AFTER INSERT OR UPDATE OF device_token ON "user_devices"
  FOR EACH ROW WHEN (NEW.platform = 'web' AND NEW.device_token LIKE '{%')
  EXECUTE FUNCTION split_web_push_subscription();
