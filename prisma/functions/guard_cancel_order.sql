-- Gives back what a cancelled order held, beside OrderCancelled: the reserved stock, and what the customer owes for it.
--
-- args: customerId, total (minor units), lines: one a product, with productId and quantity; none where it was shipped
CREATE OR REPLACE FUNCTION guard_cancel_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_stock s SET reserved = s.reserved - (line ->> 'quantity')::int
    FROM jsonb_array_elements(args -> 'lines') AS line WHERE s.product_id = line ->> 'productId';
  UPDATE customer_credit SET outstanding = outstanding - (args ->> 'total')::bigint
    WHERE customer_id = args ->> 'customerId';
  RETURN NULL;
END;
$$;
