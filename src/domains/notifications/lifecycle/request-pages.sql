-- name: pageOfRequests
-- In and out: see page_of_requests
-- not null: requestId, createdAt, isMatch
SELECT * FROM page_of_requests($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);
