-- The tables that most would make, with the constraints that most would give them. Amounts in minor units.
CREATE TABLE customers (
  customer_id text PRIMARY KEY,
  is_active boolean NOT NULL DEFAULT true,
  credit_limit bigint NOT NULL,
  balance bigint NOT NULL DEFAULT 0
);
CREATE TABLE products (
  product_id text PRIMARY KEY,
  name text NOT NULL,
  price bigint NOT NULL,
  stock int NOT NULL CHECK (stock >= 0)
);
CREATE TABLE orders (
  order_id text PRIMARY KEY,
  customer_id text NOT NULL REFERENCES customers,
  status text NOT NULL,
  total bigint NOT NULL,
  shipping_address jsonb NOT NULL,
  placed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX orders_customer_id ON orders (customer_id, placed_at DESC);
CREATE TABLE order_items (
  order_id text NOT NULL REFERENCES orders,
  line int NOT NULL,
  product_id text NOT NULL REFERENCES products,
  product_name text NOT NULL,
  quantity int NOT NULL CHECK (quantity > 0),
  price bigint NOT NULL,
  PRIMARY KEY (order_id, line)
);
-- Hot rows are rewritten in their own page, as the product's are.
ALTER TABLE customers SET (fillfactor = 50);
ALTER TABLE products SET (fillfactor = 50);
