-- Lists go by product id; the other way, nearest to the cursor first. Without a cursor they begin at either end of the
-- index: a condition that could be left out would make a filter of the cursor.

-- name: readProduct
-- $1 product
SELECT product_id, name, unit_price, on_hand, reserved, version
FROM products WHERE product_id = $1

-- name: pageProducts
-- $1 at most, $2 after this product (NULL: from the first)
SELECT product_id, name, unit_price, on_hand, reserved, version
FROM products WHERE product_id > coalesce($2::text, '') ORDER BY product_id LIMIT $1

-- name: pageProductsBack
-- $1 at most, $2 before this product (NULL: from the last)
SELECT product_id, name, unit_price, on_hand, reserved, version
FROM products WHERE product_id < coalesce($2::text, (SELECT max(product_id) || 'z' FROM products))
ORDER BY product_id DESC LIMIT $1
