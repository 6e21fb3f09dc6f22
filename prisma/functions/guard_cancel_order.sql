-- Releases what a cancelled order held, beside OrderCancelled: the reserved stock, and what the customer owes for it.
--
-- args: customerId, total (minor units), lines: one a product, with productId and quantity; none where it was shipped
CREATE OR REPLACE FUNCTION guard_cancel_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_stock(args -> 'lines', 0, -1);
  UPDATE customer_credit SET outstanding = outstanding - (args ->> 'total')::bigint, turn = turn + 1
    WHERE ctid = (SELECT ctid FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1);
  RETURN NULL;
END;
$$;
