-- A page of deliveries that admins search for, nearest to a place first. It searches block after block, so that it reads a bounded number
-- of rows whatever is asked for and whatever the tables hold.
--
-- In:  words, for each of which a delivery must have one that begins with it; terms that it must have (see search/terms.ts); of the rest
--      of the filter (NULL: any) the status, accepted at or after, accepted before; the place (NULL: the beginning), whether it goes from
--      newer to older; how many at most; at how many deliveries' status to look; how many blocks to search, and for how many milliseconds
-- Out: the deliveries in order. Where it has searched enough before it found as many as it may: last, with "isMatch" false, the
--      position to go on after.
--
-- A condition that nothing in a block meets is looked for alone in the next one: as long as nothing does, a block costs one look-up.
CREATE OR REPLACE FUNCTION search_deliveries(
  words text[], exact_terms text[], of_status text, since timestamptz, until timestamptz, place bigint, to_older boolean, most int,
  most_looked int, most_blocks int, most_ms int)
RETURNS TABLE ("position" bigint, "deliveryId" uuid, "isMatch" boolean)
LANGUAGE plpgsql STABLE
-- Plans are made for a few rows of many, also where statistics say that there are few; and once, not for each block.
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  -- The query's terms without the block that each begins with, as tsquery reads them; a block's own name where there are none.
  conditions constant text[] := ARRAY(
    SELECT replace(replace(term, '\', '\\'), '''', '''''') || ending
    FROM (
      SELECT 'w' || word AS term, ''':*' AS ending FROM unnest(words) AS word
      UNION ALL SELECT exact, '''' FROM unnest(exact_terms) AS exact
      UNION ALL SELECT '', '''' WHERE cardinality(words) + cardinality(exact_terms) = 0
    ) AS all_terms
    ORDER BY length(term) DESC);
  edge constant bigint := coalesce(place, CASE WHEN to_older THEN 9223372036854775807 ELSE -1 END);
  most_passed constant int := 16 * most_blocks;
  until_at constant timestamptz := clock_timestamp() + most_ms * interval '1 millisecond';
  -- Which condition is looked for alone.
  rarest int := 1;
  may_match boolean;
  before int;
  key text;
  query tsquery;
  block record;
  document record;
  hits refcursor;
  passed int := 0;
  searched int := 0;
  looked int := 0;
  matched int := 0;
  is_cut boolean := false;
BEGIN
  FOR block IN EXECUTE format(
    'SELECT block AS number, first_at, last_at FROM delivery_search_blocks WHERE block %s $1 ORDER BY block %s LIMIT $2',
    CASE WHEN to_older THEN '<=' ELSE '>=' END, CASE WHEN to_older THEN 'DESC' ELSE 'ASC' END) USING edge >> 12, most_passed
  LOOP
    passed := passed + 1;
    IF block.last_at < since OR block.first_at >= until THEN
      "position" := CASE WHEN to_older THEN block.number << 12 ELSE ((block.number + 1) << 12) - 1 END;
      is_cut := passed = most_passed;
      CONTINUE;
    END IF;
    key := '''' || lpad(to_hex(block.number), 8, '0');
    query := (key || array_to_string(conditions, ' & ' || key))::tsquery;
    before := matched;
    -- By its instants the months are left out that the block has nothing of.
    may_match := cardinality(conditions) = 1 OR EXISTS (
      SELECT FROM delivery_search_documents d
      WHERE d.terms @@ (key || conditions[rarest])::tsquery AND d.created_at >= block.first_at AND d.created_at <= block.last_at);
    IF NOT may_match THEN
      OPEN hits FOR SELECT NULL::bigint AS position, NULL::uuid AS delivery_id, NULL::timestamptz AS created_at WHERE false;
    ELSIF to_older THEN
      OPEN hits FOR
        SELECT d.position, d.delivery_id, d.created_at FROM delivery_search_documents d
        WHERE d.terms @@ query AND d.created_at >= greatest(block.first_at, since) AND d.created_at <= block.last_at
          AND d.created_at < coalesce(until, 'infinity') AND d.position < edge
        ORDER BY d.position DESC;
    ELSE
      OPEN hits FOR
        SELECT d.position, d.delivery_id, d.created_at FROM delivery_search_documents d
        WHERE d.terms @@ query AND d.created_at >= greatest(block.first_at, since) AND d.created_at <= block.last_at
          AND d.created_at < coalesce(until, 'infinity') AND d.position > edge
        ORDER BY d.position;
    END IF;
    LOOP
      FETCH hits INTO document;
      EXIT WHEN NOT FOUND;
      "position" := document.position;
      "deliveryId" := document.delivery_id;
      "isMatch" := true;
      IF of_status IS NOT NULL THEN
        looked := looked + 1;
        "isMatch" := EXISTS (
          SELECT FROM deliveries d
          WHERE d.delivery_id = document.delivery_id AND d.created_at = document.created_at AND d.status = of_status);
      END IF;
      IF "isMatch" THEN
        matched := matched + 1;
        RETURN NEXT;
      END IF;
      is_cut := looked = most_looked;
      EXIT WHEN matched = most OR is_cut;
    END LOOP;
    CLOSE hits;
    EXIT WHEN matched = most OR is_cut;
    "position" := CASE WHEN to_older THEN block.number << 12 ELSE ((block.number + 1) << 12) - 1 END;
    searched := searched + 1;
    IF may_match AND matched = before THEN
      rarest := rarest % cardinality(conditions) + 1;
    END IF;
    is_cut := searched = most_blocks OR passed = most_passed OR clock_timestamp() > until_at;
    EXIT WHEN is_cut;
  END LOOP;
  IF matched < most AND is_cut THEN
    "deliveryId" := NULL;
    "isMatch" := false;
    RETURN NEXT;
  END IF;
END;
$$;
