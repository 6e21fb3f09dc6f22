-- name: searchDeliveries
-- In and out: see search_deliveries
-- not null: position, isMatch
SELECT * FROM search_deliveries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
