-- Queues new deliveries for the search, in the transaction that writes them: the trigger of deliveries. One row a statement, so that
-- accepting them costs no more than that.
CREATE OR REPLACE FUNCTION queue_delivery_search() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_search_queue (delivery_ids)
    SELECT array_agg(c.delivery_id) FROM changed c HAVING count(*) > 0;
  RETURN NULL;
END;
$$;
