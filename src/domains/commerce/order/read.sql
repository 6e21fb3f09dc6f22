-- The day of delivery comes as its midnight UTC. Lists: newest first; the other way, nearest to the cursor first. Each
-- begins at its cursor in an index; $1 and $2 are never NULL, since that would make a filter of the cursor.

-- name: readOrder
-- $1 order
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders WHERE order_id = $1

-- name: pageOrders
-- $1 and $2 placed before this moment and order, $3 at most
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOrdersBack
-- As pageOrders, placed after this moment and order.
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOrdersOfStatus
-- As pageOrders, $4 status
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE status = $4 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOrdersOfStatusBack
-- As pageOrdersBack, $4 status
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE status = $4 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOwnOrders
-- As pageOrders, $4 owner
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE owner_id = $4 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOwnOrdersBack
-- As pageOrdersBack, $4 owner
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE owner_id = $4 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageOwnOrdersOfStatus
-- As pageOrders, $4 owner, $5 status
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE owner_id = $4 AND status = $5 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageOwnOrdersOfStatusBack
-- As pageOrdersBack, $4 owner, $5 status
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE owner_id = $4 AND status = $5 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
ORDER BY placed_at, order_id LIMIT $3

-- name: pageCustomersOrders
-- As pageOrders, $4 owner (NULL: any), $5 customer, $6 status (NULL: any)
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE customer_id = $5 AND (placed_at, order_id) < ($1::timestamptz, $2::text)
  AND ($4::text IS NULL OR owner_id = $4) AND ($6::text IS NULL OR status = $6)
ORDER BY placed_at DESC, order_id DESC LIMIT $3

-- name: pageCustomersOrdersBack
-- As pageOrdersBack, $4 owner (NULL: any), $5 customer, $6 status (NULL: any)
SELECT order_id, customer_id, owner_id, customer_name, customer_email, status, items, total_amount, shipping_address,
  estimated_delivery::timestamp AT TIME ZONE 'UTC' AS estimated_delivery, placed_at, tracking_number, shipped_at,
  cancelled_at, cancellation_reason, version
FROM orders
WHERE customer_id = $5 AND (placed_at, order_id) > ($1::timestamptz, $2::text)
  AND ($4::text IS NULL OR owner_id = $4) AND ($6::text IS NULL OR status = $6)
ORDER BY placed_at, order_id LIMIT $3
