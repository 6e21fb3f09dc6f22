-- Lists go by customer id; the other way, nearest to the cursor first. Without a cursor they begin at either end of the
-- index: a condition that could be left out would make a filter of the cursor.

-- name: readCustomer
-- $1 customer
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version
FROM customers WHERE customer_id = $1

-- name: pageCustomers
-- $1 at most, $2 after this customer (NULL: from the first)
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version
FROM customers WHERE customer_id > coalesce($2::text, '') ORDER BY customer_id LIMIT $1

-- name: pageCustomersBack
-- $1 at most, $2 before this customer (NULL: from the last)
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version
FROM customers WHERE customer_id < coalesce($2::text, (SELECT max(customer_id) || 'z' FROM customers))
ORDER BY customer_id DESC LIMIT $1

-- name: pageOwnCustomers
-- As pageCustomers, $3 user
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version
FROM customers WHERE user_id = $3 AND customer_id > coalesce($2::text, '') ORDER BY customer_id LIMIT $1

-- name: pageOwnCustomersBack
-- As pageCustomersBack, $3 user
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version
FROM customers
WHERE user_id = $3 AND customer_id < coalesce($2::text, (SELECT max(customer_id) || 'z' FROM customers))
ORDER BY customer_id DESC LIMIT $1
