-- By hand: what was accepted before can be searched once workers have come to it, oldest first. Reads the keys of all deliveries, beside
-- readers and writers. What is accepted while it runs may be queued twice: its document is then written twice.
INSERT INTO "delivery_search_queue" ("delivery_ids")
SELECT array_agg(delivery_id ORDER BY delivery_id)
FROM (SELECT delivery_id, (row_number() OVER (ORDER BY delivery_id) - 1) / 500 AS n FROM "deliveries") AS numbered
GROUP BY n
ORDER BY n;
