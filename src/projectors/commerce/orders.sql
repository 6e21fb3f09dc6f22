-- name: readOrders
-- $1 orders. Those of them that there are.
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason, version, last_event_position
FROM orders WHERE order_id = ANY ($1::text[])

-- name: readCustomers
-- $1 customers. Those of them that there are.
SELECT customer_id, name, email, last_event_position FROM order_customers WHERE customer_id = ANY ($1::text[])

-- name: writeOrders
-- $1 whole orders as JSON, each once; amounts as text. $2 how many days after its day (UTC) an order is to arrive
INSERT INTO orders AS o (order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount,
  shipping_address, estimated_delivery, placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason,
  version, last_event_position)
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  (placed_at AT TIME ZONE 'UTC')::date + $2::int, placed_at, tracking_number, shipped_at, cancelled_at,
  cancellation_reason, version, last_event_position
FROM jsonb_to_recordset($1::jsonb) AS e (order_id text, customer_id text, owner_id text, customer_name text,
  customer_email text, status text, items jsonb, total_amount numeric, shipping_address text, placed_at timestamptz,
  tracking_number text, shipped_at timestamptz, cancelled_at timestamptz, cancellation_reason text, version int,
  last_event_position bigint)
ON CONFLICT (order_id) DO UPDATE SET
  customer_id = excluded.customer_id, owner_id = excluded.owner_id, customer_name = excluded.customer_name,
  customer_email = excluded.customer_email, status = excluded.status, items = excluded.items,
  total_amount = excluded.total_amount, shipping_address = excluded.shipping_address,
  estimated_delivery = excluded.estimated_delivery, placed_at = excluded.placed_at,
  tracking_number = excluded.tracking_number, shipped_at = excluded.shipped_at,
  cancelled_at = excluded.cancelled_at, cancellation_reason = excluded.cancellation_reason,
  version = excluded.version, last_event_position = excluded.last_event_position
WHERE o.last_event_position < excluded.last_event_position

-- name: writeCustomers
-- $1 customers as JSON, each once
INSERT INTO order_customers AS c (customer_id, name, email, last_event_position)
SELECT customer_id, name, email, last_event_position
FROM jsonb_to_recordset($1::jsonb) AS e (customer_id text, name text, email text, last_event_position bigint)
ON CONFLICT (customer_id) DO UPDATE SET
  name = excluded.name, email = excluded.email, last_event_position = excluded.last_event_position
WHERE c.last_event_position < excluded.last_event_position
