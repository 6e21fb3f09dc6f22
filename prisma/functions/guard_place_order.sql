-- Checks an order against its customer and the stock, in the order in which decidePlacing does, and writes both: the stock is
-- reserved and the customer owes the total. A property test compares the two.
--
-- args: customerId, ownerId (the customer's user), total (minor units),
--   lines: one a product, with productId, quantity, and the name and price (minor units) that were decided on
-- refuses: FACTS_CHANGED (the customer is another's, or a product's name or price is not what was decided on),
--   INACTIVE_CUSTOMER, OUT_OF_STOCK with productId (the first line that lacks stock), CREDIT_LIMIT_EXCEEDED
CREATE OR REPLACE FUNCTION guard_place_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  customer customer_credit%ROWTYPE;
  total bigint := (args ->> 'total')::bigint;
  changed boolean;
  short text;
BEGIN
  SELECT * INTO customer FROM customer_credit WHERE customer_id = args ->> 'customerId' ORDER BY turn DESC LIMIT 1;
  IF customer.user_id IS DISTINCT FROM args ->> 'ownerId' THEN
    RETURN '{"refuse": "FACTS_CHANGED"}';
  END IF;
  IF NOT customer.is_active THEN
    RETURN '{"refuse": "INACTIVE_CUSTOMER"}';
  END IF;

  SELECT bool_or((s.name, s.unit_price) IS DISTINCT FROM (l.line ->> 'name', (l.line ->> 'price')::bigint)),
      (array_agg(l.line ->> 'productId' ORDER BY l.n)
        FILTER (WHERE s.on_hand - s.reserved < (l.line ->> 'quantity')::int))[1]
    INTO changed, short
    FROM jsonb_array_elements(args -> 'lines') WITH ORDINALITY AS l (line, n)
    LEFT JOIN LATERAL (
      SELECT * FROM product_stock WHERE product_id = l.line ->> 'productId' ORDER BY turn DESC LIMIT 1
    ) s ON true;
  IF changed THEN
    RETURN '{"refuse": "FACTS_CHANGED"}';
  END IF;
  IF short IS NOT NULL THEN
    RETURN jsonb_build_object('refuse', 'OUT_OF_STOCK', 'productId', short);
  END IF;
  IF customer.outstanding + total > customer.credit_limit THEN
    RETURN '{"refuse": "CREDIT_LIMIT_EXCEEDED"}';
  END IF;

  PERFORM move_stock(args -> 'lines', 0, 1);
  UPDATE customer_credit SET outstanding = outstanding + total, turn = turn + 1
    WHERE customer_id = customer.customer_id AND turn = customer.turn;
  RETURN NULL;
END;
$$;
