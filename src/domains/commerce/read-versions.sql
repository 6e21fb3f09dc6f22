-- name: readVersions
-- $1 accounts, $2 orders, $3 customers, $4 products, $5 transfers, $6 projectors. Those of them that there are.
SELECT 'account' AS kind, account_id AS id, version FROM accounts WHERE account_id = ANY ($1::text[])
UNION ALL SELECT 'order', order_id, version FROM orders WHERE order_id = ANY ($2::text[])
UNION ALL SELECT 'customer', customer_id, version FROM customers WHERE customer_id = ANY ($3::text[])
UNION ALL SELECT 'product', product_id, version FROM products WHERE product_id = ANY ($4::text[])
UNION ALL SELECT 'transfer', transfer_id, version FROM transfers WHERE transfer_id = ANY ($5::text[])
UNION ALL SELECT 'projector', projector_name, projector_position(projector_name) FROM projectors
  WHERE projector_name = ANY ($6::text[])
