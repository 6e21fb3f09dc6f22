-- The read model of products: what queries read, and what its projector reads and writes.
-- Lists go by product id; the other way, nearest to the cursor first. Without a cursor they begin at either end of the
-- index: a condition that could be left out would make a filter of the cursor.

-- part: product
product_id AS "productId", name, unit_price AS "unitPrice", on_hand AS "inStock", reserved, version

-- name: readProduct
-- $1 product
SELECT {product} FROM products WHERE product_id = $1

-- name: pageProducts
-- $1 at most, $2 after this product (NULL: from the first)
SELECT {product} FROM products WHERE product_id > coalesce($2::text, '') ORDER BY product_id LIMIT $1

-- name: pageProductsBack
-- $1 at most, $2 before this product (NULL: from the last)
SELECT {product} FROM products
WHERE product_id < coalesce($2::text, (SELECT max(product_id) || 'z' FROM products)) ORDER BY product_id DESC LIMIT $1

-- name: readStoredProducts
-- $1 products. Those of them that there are.
SELECT {product}, last_event_position AS "lastEventPosition" FROM products WHERE product_id = ANY ($1::text[])

-- name: writeProducts
-- $1 whole products as JSON, each once; the price as text
INSERT INTO products AS p (product_id, name, unit_price, on_hand, reserved, version, last_event_position)
SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e ("productId" text, name text, "unitPrice" numeric, "inStock" int,
  reserved int, version int, "lastEventPosition" bigint)
ON CONFLICT (product_id) DO UPDATE SET
  name = excluded.name, unit_price = excluded.unit_price, on_hand = excluded.on_hand, reserved = excluded.reserved,
  version = excluded.version, last_event_position = excluded.last_event_position
WHERE p.last_event_position < excluded.last_event_position
