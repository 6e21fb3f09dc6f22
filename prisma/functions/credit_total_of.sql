-- How much all customers of a user may owe together (minor units). Summed over them once, for users who had some before there were totals;
-- add_to_credit_total keeps it from then on. The caller holds the append lock.
CREATE OR REPLACE FUNCTION credit_total_of(customers_of text) RETURNS numeric
LANGUAGE plpgsql AS $$
DECLARE
  total numeric;
BEGIN
  SELECT credit_limits INTO total FROM customer_credit_totals WHERE user_id = customers_of ORDER BY turn DESC LIMIT 1;
  IF NOT FOUND THEN
    INSERT INTO customer_credit_totals (user_id, credit_limits)
    SELECT customers_of, coalesce(sum(credit_limit), 0) FROM customer_credit WHERE user_id = customers_of
    RETURNING credit_limits INTO total;
  END IF;
  RETURN total;
END;
$$;
