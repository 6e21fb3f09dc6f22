-- name: owedForOrders
-- What a customer owed for orders, payments left out.
-- $1 customer, $2 up to this position of the log, which the read model of orders has reached, $3 orders after this position
-- Out: a decimal as text
-- not null: owed
SELECT coalesce(sum(CASE e.event_type WHEN 'OrderPlaced' THEN 1 ELSE -1 END * (e.data ->> 'totalAmount')::numeric), 0)::text
  AS owed
FROM orders o CROSS JOIN LATERAL events_of_stream('Order-' || o.order_id, -1, 2147483647, $3, $2::bigint + 1) e
WHERE o.customer_id = $1 AND e.event_type IN ('OrderPlaced', 'OrderCancelled')

-- name: ordersOf
-- $1 customer
SELECT order_id AS "orderId" FROM orders WHERE customer_id = $1
