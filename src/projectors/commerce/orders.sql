-- name: readOrders
-- $1 orders. Those of them that there are.
-- type: status = import('../../domains/commerce/order/order.js').OrderStatus
-- type: items = readonly import('../../domains/commerce/order/events.js').OrderedItem[]
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason, version, last_event_position
FROM orders WHERE order_id = ANY ($1::text[])

-- name: readCustomers
-- $1 customers. Those of them that there are.
SELECT customer_id, name, email, last_event_position FROM order_customers WHERE customer_id = ANY ($1::text[])

-- name: writeOrders
-- Arrays of equal length, whole orders, each once: $1 order, $2 customer, $3 owner, $4 name and $5 email of the customer,
--   $6 status, $7 total, $8 address, $9 placed, $10 tracking number, $11 shipped, $12 cancelled, $13 reason, $14 version,
--   $15 last event's position, $16 items. $17 how many days after its day (UTC) an order is to arrive
INSERT INTO orders AS o (order_id, customer_id, owner_id, customer_name, customer_email, status, total_amount,
  shipping_address, placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason, version,
  last_event_position, items, estimated_delivery)
SELECT e.*, (placed_at AT TIME ZONE 'UTC')::date + $17::int
FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::text[],
  $9::timestamptz[], $10::text[], $11::timestamptz[], $12::timestamptz[], $13::text[], $14::int[], $15::bigint[],
  $16::jsonb[])
  AS e (order_id, customer_id, owner_id, customer_name, customer_email, status, total_amount, shipping_address,
    placed_at, tracking_number, shipped_at, cancelled_at, cancellation_reason, version, last_event_position, items)
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
