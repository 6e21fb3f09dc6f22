-- Opens a customer's credit beside their CustomerRegistered.
--
-- args: customerId, userId, creditLimit (minor units),
--   highestTotal (minor units; NULL: any): the highest sum of the limits of all customers of the user, this one's included
-- refuses: CUSTOMER_EXISTS, CREDIT_LIMIT_FORBIDDEN
CREATE OR REPLACE FUNCTION guard_register_customer(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  asked bigint := (args ->> 'creditLimit')::bigint;
  highest bigint := (args ->> 'highestTotal')::bigint;
BEGIN
  IF (SELECT turn FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1) IS NOT NULL THEN
    RETURN '{"refuse": "CUSTOMER_EXISTS"}';
  END IF;
  -- A limit of 0 is always granted, whatever an admin has granted before.
  IF highest IS NOT NULL AND asked > 0 THEN
    IF credit_total_of(args ->> 'userId') + asked > highest THEN
      RETURN '{"refuse": "CREDIT_LIMIT_FORBIDDEN"}';
    END IF;
  END IF;
  PERFORM add_to_credit_total(args ->> 'userId', asked);
  INSERT INTO customer_credit (customer_id, user_id, credit_limit)
  VALUES (args ->> 'customerId', args ->> 'userId', asked);
  RETURN NULL;
END;
$$;
