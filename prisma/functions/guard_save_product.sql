-- Writes a product's row of the catalogue and the shelf beside its ProductSaved.
--
-- args: productId, name, unitPrice (minor units), onHand (reserved units included)
-- refuses: STOCK_RESERVED (more is reserved than would be on hand), with reserved
CREATE OR REPLACE FUNCTION guard_save_product(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO product_stock AS s (product_id, name, unit_price, on_hand)
  VALUES (args ->> 'productId', args ->> 'name', (args ->> 'unitPrice')::bigint, (args ->> 'onHand')::int)
  ON CONFLICT (product_id) DO UPDATE
  SET name = excluded.name, unit_price = excluded.unit_price, on_hand = excluded.on_hand
  WHERE s.reserved <= excluded.on_hand;
  IF NOT FOUND THEN
    RETURN (SELECT jsonb_build_object('refuse', 'STOCK_RESERVED', 'reserved', s.reserved)
      FROM product_stock s WHERE s.product_id = args ->> 'productId');
  END IF;
  RETURN NULL;
END;
$$;
