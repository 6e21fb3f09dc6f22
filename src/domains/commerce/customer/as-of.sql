-- name: owedForOrders
-- What a customer owed for orders, payments left out.
-- $1 customer, $2 up to this position of the log, which the read model of orders has reached, $3 orders after this position
-- Out: a decimal as text
SELECT coalesce(sum(CASE e.event_type WHEN 'OrderPlaced' THEN 1 ELSE -1 END * (e.data ->> 'totalAmount')::numeric), 0)::text
  AS owed
FROM orders o JOIN events e ON e.stream_id = 'Order-' || o.order_id
WHERE o.customer_id = $1 AND e.event_type IN ('OrderPlaced', 'OrderCancelled') AND e.global_position > $3
  AND e.global_position <= $2
