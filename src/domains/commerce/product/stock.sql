-- name: readStock
-- $1 product id
SELECT name, unit_price, on_hand, reserved FROM product_stock WHERE product_id = $1
