-- By hand: an operator's TRUNCATE of deliveries takes what waits of them along; of a part of them that has this trigger, its own.
CREATE FUNCTION forget_truncated_deliveries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM pending_deliveries p WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.delivery_id = p.delivery_id);
  RETURN NULL;
END;
$$;
CREATE TRIGGER deliveries_truncated AFTER TRUNCATE ON "deliveries"
  FOR EACH STATEMENT EXECUTE FUNCTION forget_truncated_deliveries();
