-- name: readStock
-- $1 product id. The price as text
-- not null: unit_price
SELECT name, unit_price::text, on_hand, reserved FROM product_stock WHERE product_id = $1
ORDER BY turn DESC LIMIT 1
