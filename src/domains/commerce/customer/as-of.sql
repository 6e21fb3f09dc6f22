-- name: owedForOrders
-- By how much more a customer owed for orders at a moment than at an earlier one, payments left out.
-- $1 customer; $2 the last position of the log at the moment, which the read model of orders has reached; $3 the moment;
-- $4 the earlier one, -infinity for the beginning; whatever happened by then is settled. Both in whole milliseconds, which they include.
-- Out: owed: a decimal as text; is_settled: nothing more can happen at the moment; unsure: orders that are left out, since something
--      happened to them after the position, perhaps in the moment's own millisecond; orders: how many were read
-- Dates never go back along the log: once an event has a later date, what is up to the position is known by dates.
-- not null: owed, is_settled, unsure, orders
WITH moment AS (
  SELECT coalesce((SELECT created_at >= $3::timestamptz + interval '1 millisecond' FROM events
    WHERE global_position > $2 ORDER BY global_position LIMIT 1), false) AS is_settled
), changed AS (
  SELECT order_id, last_event_position, CASE WHEN cancelled_at <= $3 THEN 0 ELSE total_amount END AS added
  FROM orders WHERE customer_id = $1 AND placed_at > $4::timestamptz AND placed_at <= $3
  UNION ALL
  SELECT order_id, last_event_position, -total_amount
  FROM orders WHERE customer_id = $1 AND cancelled_at > $4 AND cancelled_at <= $3 AND placed_at <= $4
)
SELECT coalesce(sum(added) FILTER (WHERE is_settled OR last_event_position <= $2), 0)::text AS owed, m.is_settled,
  coalesce(array_agg(order_id) FILTER (WHERE NOT is_settled AND last_event_position > $2), '{}') AS unsure,
  count(order_id)::int AS orders
FROM moment m LEFT JOIN changed ON true GROUP BY m.is_settled
