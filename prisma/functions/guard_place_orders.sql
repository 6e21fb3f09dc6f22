-- Checks orders one after the other against their customers and the stock, in the order in which decidePlacing does, and writes
-- both for all that are accepted at once: their stock is reserved and their customers owe their totals. What an order takes is gone
-- for those after it; one that is refused takes nothing. A property test compares the two.
--
-- In:  orders: of each customerId, ownerId (the customer's user), total (minor units),
--        lines: one a product, with productId, quantity, and the name and price (minor units) that were decided on
-- Out: one entry an order: NULL, or its refusal
--        FACTS_CHANGED (the customer is another's, or a product's name or price is not what was decided on), INACTIVE_CUSTOMER,
--        OUT_OF_STOCK with productId (the first line that lacks stock), CREDIT_LIMIT_EXCEEDED
-- The caller holds the append lock: rows stay as they are read until they are written.
CREATE OR REPLACE FUNCTION guard_place_orders(orders jsonb[]) RETURNS jsonb[]
LANGUAGE plpgsql AS $$
DECLARE
  answers jsonb[] := array_fill(NULL::jsonb, ARRAY[cardinality(orders)]);
  -- Of each customer, of each product, of each order and of each line: entries of one number belong together.
  customer_ids text[];
  users text[];
  actives boolean[];
  limits bigint[];
  owed bigint[];
  added bigint[];
  customer_places tid[];
  product_ids text[];
  names text[];
  prices bigint[];
  available int[];
  taken int[];
  product_places tid[];
  customers int[];
  owners text[];
  totals bigint[];
  line_orders int[];
  line_products int[];
  line_quantities int[];
  line_names text[];
  line_prices bigint[];
  first_line int;
  line int := 1;
  c int;
  p int;
  changed boolean;
  short text;
BEGIN
  SELECT array_agg(w.id ORDER BY w.id COLLATE "C"), array_agg(r.user_id ORDER BY w.id COLLATE "C"),
      array_agg(r.is_active ORDER BY w.id COLLATE "C"), array_agg(r.credit_limit ORDER BY w.id COLLATE "C"),
      array_agg(r.outstanding ORDER BY w.id COLLATE "C"), array_agg(r.place ORDER BY w.id COLLATE "C"), array_agg(0)
    INTO customer_ids, users, actives, limits, owed, customer_places, added
    FROM (SELECT DISTINCT args ->> 'customerId' AS id FROM unnest(orders) AS args) w
    LEFT JOIN LATERAL (SELECT *, ctid AS place FROM customer_credit WHERE customer_id = w.id ORDER BY turn DESC LIMIT 1) r ON true;
  SELECT array_agg(o.customer ORDER BY o.n), array_agg(o.args ->> 'ownerId' ORDER BY o.n), array_agg((o.args ->> 'total')::bigint ORDER BY o.n)
    INTO customers, owners, totals
    FROM (
      SELECT args, n, dense_rank() OVER (ORDER BY args ->> 'customerId' COLLATE "C") AS customer
      FROM unnest(orders) WITH ORDINALITY AS asked (args, n)
    ) o;

  SELECT array_agg(l.n ORDER BY l.n, l.m), array_agg(l.product ORDER BY l.n, l.m), array_agg((l.one ->> 'quantity')::int ORDER BY l.n, l.m),
      array_agg(l.one ->> 'name' ORDER BY l.n, l.m), array_agg((l.one ->> 'price')::bigint ORDER BY l.n, l.m),
      array_agg(DISTINCT l.one ->> 'productId' COLLATE "C" ORDER BY l.one ->> 'productId' COLLATE "C")
    INTO line_orders, line_products, line_quantities, line_names, line_prices, product_ids
    FROM (
      SELECT one, n, m, dense_rank() OVER (ORDER BY one ->> 'productId' COLLATE "C") AS product
      FROM unnest(orders) WITH ORDINALITY AS asked (args, n), jsonb_array_elements(args -> 'lines') WITH ORDINALITY AS lines (one, m)
    ) l;
  SELECT array_agg(r.name ORDER BY w.n), array_agg(r.unit_price ORDER BY w.n), array_agg(r.on_hand - r.reserved ORDER BY w.n),
      array_agg(r.place ORDER BY w.n), array_agg(0)
    INTO names, prices, available, product_places, taken
    FROM unnest(product_ids) WITH ORDINALITY AS w (id, n)
    LEFT JOIN LATERAL (SELECT *, ctid AS place FROM product_stock WHERE product_id = w.id ORDER BY turn DESC LIMIT 1) r ON true;

  FOR o IN 1 .. cardinality(orders) LOOP
    c := customers[o];
    first_line := line;
    changed := false;
    short := NULL;
    WHILE line_orders[line] = o LOOP
      p := line_products[line];
      IF names[p] IS DISTINCT FROM line_names[line] OR prices[p] IS DISTINCT FROM line_prices[line] THEN
        changed := true;
      ELSIF short IS NULL AND available[p] < line_quantities[line] THEN
        short := product_ids[p];
      END IF;
      line := line + 1;
    END LOOP;

    IF users[c] IS DISTINCT FROM owners[o] THEN
      answers[o] := '{"refuse": "FACTS_CHANGED"}';
    ELSIF NOT actives[c] THEN
      answers[o] := '{"refuse": "INACTIVE_CUSTOMER"}';
    ELSIF changed THEN
      answers[o] := '{"refuse": "FACTS_CHANGED"}';
    ELSIF short IS NOT NULL THEN
      answers[o] := jsonb_build_object('refuse', 'OUT_OF_STOCK', 'productId', short);
    ELSIF owed[c] + added[c] + totals[o] > limits[c] THEN
      answers[o] := '{"refuse": "CREDIT_LIMIT_EXCEEDED"}';
    ELSE
      added[c] := added[c] + totals[o];
      FOR i IN first_line .. line - 1 LOOP
        p := line_products[i];
        available[p] := available[p] - line_quantities[i];
        taken[p] := taken[p] + line_quantities[i];
      END LOOP;
    END IF;
  END LOOP;

  UPDATE product_stock s SET turn = s.turn + 1, reserved = s.reserved + w.taken
    FROM unnest(product_places, taken) AS w (place, taken) WHERE s.ctid = w.place AND w.taken > 0;
  UPDATE customer_credit r SET turn = r.turn + 1, outstanding = r.outstanding + w.added
    FROM unnest(customer_places, added) AS w (place, added) WHERE r.ctid = w.place AND w.added > 0;
  RETURN answers;
END;
$$;
