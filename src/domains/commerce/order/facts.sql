-- name: readPlacingFacts
-- What a batch of orders depends on, all of one moment.
-- In:  $1 customer ids, $2 product ids, $3 order streams
-- Out: one row: the customers' and the products' rows as JSON by id, and those of the streams that exist.
--      Minor units as text: a customer may be owed more than a JSON number holds.
SELECT
  (SELECT coalesce(jsonb_object_agg(customer_id, to_jsonb(c)
      || jsonb_build_object('credit_limit', credit_limit::text, 'outstanding', outstanding::text)), '{}')
    FROM customer_credit c
    WHERE customer_id = ANY ($1::text[])) AS customers,
  (SELECT coalesce(jsonb_object_agg(product_id, to_jsonb(s) || jsonb_build_object('unit_price', unit_price::text)), '{}')
    FROM product_stock s
    WHERE product_id = ANY ($2::text[])) AS products,
  ARRAY(SELECT stream FROM known_streams($3::text[]) AS stream) AS taken
