-- One order alone; see guard_place_orders.
CREATE OR REPLACE FUNCTION guard_place_order(args jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
BEGIN
  RETURN (guard_place_orders(ARRAY[args]))[1];
END;
$$;
