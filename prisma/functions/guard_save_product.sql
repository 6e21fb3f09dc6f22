-- Writes a product's row of the catalogue and the stock beside its ProductSaved. The append lock keeps it one row.
--
-- args: productId, name, unitPrice (minor units), onHand (reserved units included)
-- refuses: STOCK_RESERVED (more is reserved than would be on hand), with reserved
CREATE OR REPLACE FUNCTION guard_save_product(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  stock product_stock%ROWTYPE;
BEGIN
  SELECT * INTO stock FROM product_stock WHERE product_id = args ->> 'productId' ORDER BY turn DESC LIMIT 1;
  IF stock.reserved > (args ->> 'onHand')::int THEN
    RETURN jsonb_build_object('refuse', 'STOCK_RESERVED', 'reserved', stock.reserved);
  END IF;
  UPDATE product_stock
    SET name = args ->> 'name', unit_price = (args ->> 'unitPrice')::bigint, on_hand = (args ->> 'onHand')::int, turn = turn + 1
    WHERE product_id = stock.product_id AND turn = stock.turn;
  IF NOT FOUND THEN
    INSERT INTO product_stock (product_id, name, unit_price, on_hand)
    VALUES (args ->> 'productId', args ->> 'name', (args ->> 'unitPrice')::bigint, (args ->> 'onHand')::int);
  END IF;
  RETURN NULL;
END;
$$;
