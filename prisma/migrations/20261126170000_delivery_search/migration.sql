-- CreateTable
CREATE TABLE "delivery_search_blocks" (
    "block" BIGINT NOT NULL,
    "first_at" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_search_blocks_pkey" PRIMARY KEY ("block")
);

-- CreateTable
CREATE TABLE "delivery_search_queue" (
    "entry_id" BIGSERIAL NOT NULL,
    "delivery_ids" UUID[],

    CONSTRAINT "delivery_search_queue_pkey" PRIMARY KEY ("entry_id")
);

-- By hand, from here on: what Prisma's schema language cannot say.

CREATE TABLE "delivery_search_documents" (
    "delivery_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "position" BIGINT NOT NULL,
    "terms" tsvector NOT NULL,

    CONSTRAINT "delivery_search_documents_pkey" PRIMARY KEY ("delivery_id", "created_at")
) PARTITION BY RANGE ("created_at");
-- With a list of pending entries, which index_deliveries merges into the index after each batch: a third of the CPU and an eighth of the
-- log. What a batch leaves there, each search of a block would read.
CREATE INDEX "delivery_search_documents_terms" ON "delivery_search_documents" USING gin ("terms") WITH (fastupdate = on);
CREATE SEQUENCE "delivery_search_positions";
DO $$
BEGIN
  EXECUTE format('CREATE TABLE delivery_search_documents_first PARTITION OF delivery_search_documents FOR VALUES FROM (MINVALUE) TO (%L)',
    (date_trunc('month', now() AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC');
END;
$$;
CREATE TABLE "delivery_search_documents_default" PARTITION OF "delivery_search_documents" DEFAULT;

-- As in prisma/functions/queue_delivery_search.sql: what is accepted from now on is queued, whatever comes between this and the functions.
CREATE FUNCTION queue_delivery_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO delivery_search_queue (delivery_ids)
    SELECT array_agg(c.delivery_id) FROM changed c HAVING count(*) > 0;
  RETURN NULL;
END;
$$;
CREATE TRIGGER deliveries_to_search AFTER INSERT ON "deliveries" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION queue_delivery_search();
