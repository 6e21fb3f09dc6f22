-- Writes what a customer may owe, and whether they may order, beside CustomerStatusSet; or without an event, as it follows
-- from their stream: a customer who was registered before there was credit gets their row here.
--
-- args: customerId, userId, isActive, creditLimit (minor units)
CREATE OR REPLACE FUNCTION guard_set_customer_status(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_credit
    SET is_active = (args -> 'isActive')::boolean, credit_limit = (args ->> 'creditLimit')::bigint, turn = turn + 1
    WHERE ctid = (SELECT ctid FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1);
  IF NOT FOUND THEN
    INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit)
    VALUES (args ->> 'customerId', args ->> 'userId', (args -> 'isActive')::boolean, (args ->> 'creditLimit')::bigint);
  END IF;
  RETURN NULL;
END;
$$;
