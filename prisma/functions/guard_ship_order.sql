-- Takes what is shipped off the shelf beside OrderShipped: neither on hand nor reserved any more.
--
-- args: lines, one a product, with productId and quantity
CREATE OR REPLACE FUNCTION guard_ship_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_stock s
    SET on_hand = s.on_hand - (line ->> 'quantity')::int, reserved = s.reserved - (line ->> 'quantity')::int
    FROM jsonb_array_elements(args -> 'lines') AS line WHERE s.product_id = line ->> 'productId';
  RETURN NULL;
END;
$$;
