-- Writes search documents of deliveries, or writes them anew, and what is known of their blocks.
--
-- In:  a JSON array, in the order in which they were accepted and no delivery twice, of {deliveryId, createdAt, terms}; see
--      search/terms.ts
-- Out: how many were written
--
-- Promises
--   A document keeps the position that it had first: what was accepted later stands behind it, whenever its text was made.
--   A block's instants are those of all of its documents.
--   Positions grow in the order of the calls, of which the caller makes one at a time.
--   No entry of the index is left in its pending list, which searches would read from end to end.
CREATE OR REPLACE FUNCTION index_deliveries(documents jsonb) RETURNS int
LANGUAGE plpgsql
-- Plans are kept, and those made while the tables were small would read them from end to end once they are not.
SET enable_seqscan = off
SET plan_cache_mode = force_generic_plan
AS $$
#variable_conflict use_column
DECLARE
  written int;
  partitions oid[];
BEGIN
  WITH given AS (
    SELECT d.delivery_id, d.created_at, d.terms, known.position
    FROM ROWS FROM (jsonb_to_recordset(documents) AS ("deliveryId" uuid, "createdAt" timestamptz, terms text[]))
      WITH ORDINALITY AS d (delivery_id, created_at, terms, n)
    LEFT JOIN LATERAL (
      SELECT s.position FROM delivery_search_documents s
      WHERE s.delivery_id = d.delivery_id AND s.created_at = d.created_at
      OFFSET 0) AS known ON true
    ORDER BY d.n
  ), placed AS MATERIALIZED (
    SELECT delivery_id, created_at, terms, coalesce(position, nextval('delivery_search_positions')) AS position FROM given
  ), added AS (
    INSERT INTO delivery_search_documents (delivery_id, created_at, position, terms)
      SELECT p.delivery_id, p.created_at, p.position,
             array_to_tsvector(ARRAY(SELECT lpad(to_hex(p.position >> 12), 8, '0') || term FROM unnest(array_append(p.terms, '')) AS term))
      FROM placed p
      ON CONFLICT (delivery_id, created_at) DO UPDATE SET terms = excluded.terms
      RETURNING tableoid AS partition, position, created_at
  ), noted AS (
    INSERT INTO delivery_search_blocks AS b (block, first_at, last_at)
      SELECT a.position >> 12, min(a.created_at), max(a.created_at) FROM added a GROUP BY 1 ORDER BY 1
      ON CONFLICT (block) DO UPDATE
        SET first_at = least(b.first_at, excluded.first_at), last_at = greatest(b.last_at, excluded.last_at)
        WHERE b.first_at > excluded.first_at OR b.last_at < excluded.last_at
  )
  SELECT count(*), array_agg(DISTINCT partition) INTO written, partitions FROM added;
  PERFORM gin_clean_pending_list(i.indexrelid)
    FROM pg_inherits h
    JOIN pg_index i ON i.indexrelid = h.inhrelid AND i.indrelid = ANY (partitions)
    WHERE h.inhparent = 'delivery_search_documents_terms'::regclass;
  RETURN written;
END;
$$;
