-- Queues new deliveries for the search, in the transaction that writes them: the trigger of deliveries. One row a statement, or for
-- each 500 of its deliveries, so that accepting them costs little, and no batch of the indexer is larger.
CREATE OR REPLACE FUNCTION queue_delivery_search() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_search_queue (delivery_ids)
    SELECT array_agg(c.delivery_id ORDER BY c.n)
    FROM (SELECT delivery_id, row_number() OVER () - 1 AS n FROM changed) AS c
    GROUP BY c.n / 500
    ORDER BY c.n / 500;
  RETURN NULL;
END;
$$;
