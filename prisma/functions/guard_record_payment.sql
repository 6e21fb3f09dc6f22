-- Lowers what a customer owes beside PaymentRecorded.
--
-- args: customerId, amount (minor units)
-- refuses: PAYMENT_TOO_LARGE (more than the customer owes)
CREATE OR REPLACE FUNCTION guard_record_payment(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_credit SET outstanding = outstanding - (args ->> 'amount')::bigint, turn = turn + 1
  WHERE ctid = (SELECT ctid FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1)
    AND outstanding >= (args ->> 'amount')::bigint;
  IF NOT FOUND THEN
    RETURN '{"refuse": "PAYMENT_TOO_LARGE"}';
  END IF;
  RETURN NULL;
END;
$$;
