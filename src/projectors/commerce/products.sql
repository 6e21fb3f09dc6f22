-- name: readProducts
-- $1 products. Those of them that there are; the price as text.
SELECT product_id, name, unit_price, on_hand, reserved, version, last_event_position
FROM products WHERE product_id = ANY ($1::text[])

-- name: writeProducts
-- $1 whole products as JSON, each once; the price as text
INSERT INTO products AS p (product_id, name, unit_price, on_hand, reserved, version, last_event_position)
SELECT product_id, name, unit_price, on_hand, reserved, version, last_event_position
FROM jsonb_to_recordset($1::jsonb) AS e (product_id text, name text, unit_price numeric, on_hand int, reserved int,
  version int, last_event_position bigint)
ON CONFLICT (product_id) DO UPDATE SET
  name = excluded.name, unit_price = excluded.unit_price, on_hand = excluded.on_hand, reserved = excluded.reserved,
  version = excluded.version, last_event_position = excluded.last_event_position
WHERE p.last_event_position < excluded.last_event_position
