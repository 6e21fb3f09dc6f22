-- Writes what a customer may owe, and whether they may order, beside CustomerStatusSet; or without an event, as it follows
-- from their stream: a customer who was registered before there was credit gets their row here.
--
-- args: customerId, userId, isActive, creditLimit (minor units)
CREATE OR REPLACE FUNCTION guard_set_customer_status(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  asked bigint := (args ->> 'creditLimit')::bigint;
  former customer_credit%ROWTYPE;
BEGIN
  SELECT * INTO former FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1;
  IF FOUND THEN
    UPDATE customer_credit SET is_active = (args -> 'isActive')::boolean, credit_limit = asked, turn = turn + 1
    WHERE customer_id = former.customer_id AND turn = former.turn;
    PERFORM add_to_credit_total(former.user_id, asked - former.credit_limit);
  ELSE
    INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit)
    VALUES (args ->> 'customerId', args ->> 'userId', (args -> 'isActive')::boolean, asked);
    PERFORM add_to_credit_total(args ->> 'userId', asked);
  END IF;
  RETURN NULL;
END;
$$;
