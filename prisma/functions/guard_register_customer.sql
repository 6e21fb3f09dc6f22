-- Opens a customer's credit beside his CustomerRegistered.
--
-- args: customerId, userId, creditLimit (minor units)
-- refuses: CUSTOMER_EXISTS
CREATE OR REPLACE FUNCTION guard_register_customer(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO customer_credit (customer_id, user_id, credit_limit)
  VALUES (args ->> 'customerId', args ->> 'userId', (args ->> 'creditLimit')::bigint)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN '{"refuse": "CUSTOMER_EXISTS"}';
  END IF;
  RETURN NULL;
END;
$$;
