-- Changes how much all customers of a user may owe together, where that is known. The newest version of the row stands first in the index,
-- however many older ones vacuum may not remove; the append lock, which the caller holds, keeps it where it is.
CREATE OR REPLACE FUNCTION add_to_credit_total(customers_of text, added numeric) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customer_credit_totals SET turn = turn + 1, credit_limits = credit_limits + added
  WHERE ctid = (SELECT ctid FROM customer_credit_totals WHERE user_id = customers_of ORDER BY turn DESC LIMIT 1);
END;
$$;
