-- The read model of orders: what queries read, and what its projector reads and writes.
-- Lists: newest first; the other way, nearest to the cursor first. Each begins at its cursor in an index; $1 and $2 are never
-- NULL, since that would make a filter of the cursor.

-- part: order
-- type: status = import('./order.js').OrderStatus
-- type: items = readonly import('./events.js').OrderedItem[]
order_id AS "orderId", customer_id AS "customerId", owner_id AS "ownerId", customer_name AS "customerName",
  customer_email AS "customerEmail", status, items, total_amount AS "totalAmount", shipping_address AS "shippingAddress",
  -- The day of delivery as its midnight UTC.
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS "estimatedDelivery", placed_at AS "placedAt",
  tracking_number AS "trackingNumber", shipped_at AS "shippedAt", cancelled_at AS "cancelledAt",
  cancellation_reason AS "cancellationReason", version

-- All orders of a customer have one owner: whether it is $4 is looked up once, and no order of another's customer is read.
-- part: mayRead
($4::text IS NULL OR $4 = (SELECT owner_id FROM orders WHERE customer_id = $5 ORDER BY placed_at DESC, order_id DESC LIMIT 1))

-- name: readOrder
-- $1 order
SELECT {order} FROM orders WHERE order_id = $1

-- name: pageOrders
-- $1 and $2 placed before this moment and order, $3 at most
SELECT {order} FROM orders
WHERE (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOrdersBack
-- As pageOrders, placed after this moment and order.
SELECT {order} FROM orders
WHERE (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOrdersOfStatus
-- As pageOrders, $4 status
SELECT {order} FROM orders
WHERE status = $4 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOrdersOfStatusBack
-- As pageOrdersBack, $4 status
SELECT {order} FROM orders
WHERE status = $4 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOwnOrders
-- As pageOrders, $4 owner
SELECT {order} FROM orders
WHERE owner_id = $4 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOwnOrdersBack
-- As pageOrdersBack, $4 owner
SELECT {order} FROM orders
WHERE owner_id = $4 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOwnOrdersOfStatus
-- As pageOrders, $4 owner, $5 status
SELECT {order} FROM orders
WHERE owner_id = $4 AND status = $5 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOwnOrdersOfStatusBack
-- As pageOrdersBack, $4 owner, $5 status
SELECT {order} FROM orders
WHERE owner_id = $4 AND status = $5 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageCustomersOrders
-- As pageOrders, $4 owner (NULL: any), $5 customer
SELECT {order} FROM orders
WHERE customer_id = $5 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
  AND {mayRead}
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageCustomersOrdersBack
-- As pageOrdersBack, and pageCustomersOrders
SELECT {order} FROM orders
WHERE customer_id = $5 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
  AND {mayRead}
ORDER BY placed_at, order_id LIMIT $3

-- name: pageCustomersOrdersOfStatus
-- As pageCustomersOrders, $6 status
SELECT {order} FROM orders
WHERE customer_id = $5 AND status = $6 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
  AND {mayRead}
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageCustomersOrdersOfStatusBack
-- As pageCustomersOrdersBack, $6 status
SELECT {order} FROM orders
WHERE customer_id = $5 AND status = $6 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
  AND {mayRead}
ORDER BY placed_at, order_id LIMIT $3

-- name: readStoredOrders
-- $1 orders. Those of them that there are.
SELECT {order}, last_event_position AS "lastEventPosition" FROM orders WHERE order_id = ANY ($1::text[])

-- name: writeOrders
-- Whole orders, each once: an array for each of `storedFields`, in their order
INSERT INTO orders AS o (last_event_position, version, order_id, customer_id, owner_id, customer_name, customer_email,
  status, items, total_amount, shipping_address, estimated_delivery, placed_at, tracking_number, shipped_at, cancelled_at,
  cancellation_reason)
SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
  $8::text[], $9::jsonb[], $10::numeric[], $11::text[], $12::date[], $13::timestamptz[], $14::text[], $15::timestamptz[],
  $16::timestamptz[], $17::text[])
ON CONFLICT (order_id) DO UPDATE SET
  last_event_position = excluded.last_event_position, version = excluded.version,
  customer_id = excluded.customer_id, owner_id = excluded.owner_id, customer_name = excluded.customer_name,
  customer_email = excluded.customer_email, status = excluded.status, items = excluded.items,
  total_amount = excluded.total_amount, shipping_address = excluded.shipping_address,
  estimated_delivery = excluded.estimated_delivery, placed_at = excluded.placed_at,
  tracking_number = excluded.tracking_number, shipped_at = excluded.shipped_at,
  cancelled_at = excluded.cancelled_at, cancellation_reason = excluded.cancellation_reason
WHERE o.last_event_position < excluded.last_event_position

-- name: readOrderCustomers
-- $1 customers. Those of them that there are.
SELECT customer_id AS "customerId", name, email, last_event_position AS "lastEventPosition"
FROM order_customers WHERE customer_id = ANY ($1::text[])

-- name: writeOrderCustomers
-- $1 customers as JSON, each once
INSERT INTO order_customers AS c (customer_id, name, email, last_event_position)
SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e ("customerId" text, name text, email text, "lastEventPosition" bigint)
ON CONFLICT (customer_id) DO UPDATE SET
  name = excluded.name, email = excluded.email, last_event_position = excluded.last_event_position
WHERE c.last_event_position < excluded.last_event_position
