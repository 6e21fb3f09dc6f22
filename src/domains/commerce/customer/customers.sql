-- The read model of customers: what queries read, and what its projector reads and writes.
-- Lists go by customer id; the other way, nearest to the cursor first. Without a cursor they begin at either end of the
-- index: a condition that could be left out would make a filter of the cursor.

-- part: customer
customer_id AS "customerId", user_id AS "userId", first_name AS "firstName", last_name AS "lastName", email,
  is_active AS "isActive", credit_limit AS "creditLimit", outstanding AS "outstandingBalance", version

-- name: readCustomer
-- $1 customer
SELECT {customer} FROM customers WHERE customer_id = $1

-- name: pageCustomers
-- $1 at most, $2 after this customer (NULL: from the first)
SELECT {customer} FROM customers
WHERE customer_id > coalesce($2::text, '') ORDER BY customer_id LIMIT $1

-- name: pageCustomersBack
-- $1 at most, $2 before this customer (NULL: from the last)
SELECT {customer} FROM customers
WHERE customer_id < coalesce($2::text, (SELECT max(customer_id) || 'z' FROM customers))
ORDER BY customer_id DESC LIMIT $1

-- name: pageOwnCustomers
-- As pageCustomers, $3 user
SELECT {customer} FROM customers
WHERE user_id = $3 AND customer_id > coalesce($2::text, '') ORDER BY customer_id LIMIT $1

-- name: pageOwnCustomersBack
-- As pageCustomersBack, $3 user
SELECT {customer} FROM customers
WHERE user_id = $3 AND customer_id < coalesce($2::text, (SELECT max(customer_id) || 'z' FROM customers))
ORDER BY customer_id DESC LIMIT $1

-- name: readStoredCustomers
-- $1 customers. Those of them that there are.
SELECT {customer}, last_event_position AS "lastEventPosition" FROM customers WHERE customer_id = ANY ($1::text[])

-- name: writeCustomers
-- $1 whole customers as JSON, each once; amounts as text
INSERT INTO customers AS c (customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding,
  version, last_event_position)
SELECT e.* FROM jsonb_to_recordset($1::jsonb) AS e ("customerId" text, "userId" text, "firstName" text, "lastName" text,
  email text, "isActive" boolean, "creditLimit" numeric, "outstandingBalance" numeric, version int,
  "lastEventPosition" bigint)
ON CONFLICT (customer_id) DO UPDATE SET
  user_id = excluded.user_id, first_name = excluded.first_name, last_name = excluded.last_name,
  email = excluded.email, is_active = excluded.is_active, credit_limit = excluded.credit_limit,
  outstanding = excluded.outstanding, version = excluded.version, last_event_position = excluded.last_event_position
WHERE c.last_event_position < excluded.last_event_position
