-- Removes what is shipped from the stock beside OrderShipped: neither on hand nor reserved any more.
--
-- args: lines, one a product, with productId and quantity
CREATE OR REPLACE FUNCTION guard_ship_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM move_stock(args -> 'lines', -1, -1);
  RETURN NULL;
END;
$$;
