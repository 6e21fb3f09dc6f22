-- name: readPlacingFacts
-- What a batch of orders depends on, all of one moment.
-- In:  $1 customer ids, $2 product ids, $3 order streams
-- Out: one row: the customers' and the products' rows as JSON by id, and those of the streams that exist.
--      Minor units as text: a customer may be owed more than a JSON number holds.
-- not null: customers, products, taken
-- type: customers = Readonly<Record<string, import('./facts.js').CreditRow>>
-- type: products = Readonly<Record<string, import('../product/stock.js').StockRow>>
SELECT
  (SELECT coalesce(jsonb_object_agg(customer_id, to_jsonb(c)
      || jsonb_build_object('credit_limit', credit_limit::text, 'outstanding', outstanding::text)), '{}')
    FROM unnest($1::text[]) AS wanted CROSS JOIN LATERAL (
      SELECT * FROM customer_credit WHERE customer_id = wanted ORDER BY turn DESC LIMIT 1
    ) c) AS customers,
  (SELECT coalesce(jsonb_object_agg(product_id, to_jsonb(s) || jsonb_build_object('unit_price', unit_price::text)), '{}')
    FROM unnest($2::text[]) AS wanted CROSS JOIN LATERAL (
      SELECT * FROM product_stock WHERE product_id = wanted ORDER BY turn DESC LIMIT 1
    ) s) AS products,
  ARRAY(SELECT stream FROM known_streams($3::text[]) AS stream) AS taken
