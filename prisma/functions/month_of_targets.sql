-- In:  a month: the end of the names of its partitions
-- Out: its partition of target_outcomes; the first one has the name that the table had before
CREATE OR REPLACE FUNCTION month_of_targets(month text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE month WHEN 'first' THEN 'delivery_targets' ELSE 'target_outcomes_' || month END;
$$;
