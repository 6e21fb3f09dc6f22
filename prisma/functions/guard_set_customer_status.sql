-- Writes what a customer may owe, and whether he may order, beside CustomerStatusSet; or beside nothing, as it follows
-- from his stream: a customer who was registered before there was credit gets his row here.
--
-- args: customerId, userId, isActive, creditLimit (minor units)
CREATE OR REPLACE FUNCTION guard_set_customer_status(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer_credit (customer_id, user_id, is_active, credit_limit)
  VALUES (args ->> 'customerId', args ->> 'userId', (args -> 'isActive')::boolean, (args ->> 'creditLimit')::bigint)
  ON CONFLICT (customer_id) DO UPDATE SET is_active = excluded.is_active, credit_limit = excluded.credit_limit;
  RETURN NULL;
END;
$$;
