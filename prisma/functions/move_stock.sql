-- Changes products' rows by the lines of an order. The newest version of a row stands first in the index; the append lock, which
-- the caller holds, keeps it where it is.
--
-- In:  lines: one a product, with productId and quantity; by how much a unit changes what is on hand and what is reserved
CREATE OR REPLACE FUNCTION move_stock(lines jsonb, to_on_hand int, to_reserved int) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE product_stock s
    SET turn = s.turn + 1, on_hand = s.on_hand + to_on_hand * newest.quantity, reserved = s.reserved + to_reserved * newest.quantity
    FROM (
      SELECT (line ->> 'quantity')::int AS quantity, found.place
      FROM jsonb_array_elements(lines) AS line CROSS JOIN LATERAL (
        SELECT ctid AS place FROM product_stock WHERE product_id = line ->> 'productId' ORDER BY turn DESC LIMIT 1
      ) found
    ) newest
    WHERE s.ctid = newest.place;
END;
$$;
