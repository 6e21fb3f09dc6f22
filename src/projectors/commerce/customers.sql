-- name: readCustomers
-- $1 customers. Those of them that there are; amounts as text.
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version,
  last_event_position
FROM customers WHERE customer_id = ANY ($1::text[])

-- name: writeCustomers
-- $1 whole customers as JSON, each once; amounts as text
INSERT INTO customers AS c (customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding,
  version, last_event_position)
SELECT customer_id, user_id, first_name, last_name, email, is_active, credit_limit, outstanding, version,
  last_event_position
FROM jsonb_to_recordset($1::jsonb) AS e (customer_id text, user_id text, first_name text, last_name text, email text,
  is_active boolean, credit_limit numeric, outstanding numeric, version int, last_event_position bigint)
ON CONFLICT (customer_id) DO UPDATE SET
  user_id = excluded.user_id, first_name = excluded.first_name, last_name = excluded.last_name,
  email = excluded.email, is_active = excluded.is_active, credit_limit = excluded.credit_limit,
  outstanding = excluded.outstanding, version = excluded.version, last_event_position = excluded.last_event_position
WHERE c.last_event_position < excluded.last_event_position
