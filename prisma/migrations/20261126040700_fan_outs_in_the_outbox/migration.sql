-- Adds the entry of a fan-out that a process of the version before begins. A process of this version adds the correlation id to it.
CREATE FUNCTION add_former_fan_outs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox (key, kind, payload, due_at)
  SELECT 'feed.fan-out:' || post_id, 'feed.fan-out', jsonb_build_object('postId', post_id, 'authorId', author), now() + interval '2 seconds'
  FROM noted WHERE completed_at IS NULL
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END;
$$;
CREATE TRIGGER fanouts_noted AFTER INSERT ON "fanouts" REFERENCING NEW TABLE AS noted
  FOR EACH STATEMENT EXECUTE FUNCTION add_former_fan_outs();

-- Fan-outs that such a process finishes.
CREATE FUNCTION complete_former_fan_out() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM outbox WHERE key = 'feed.fan-out:' || NEW.post_id;
  RETURN NULL;
END;
$$;
CREATE TRIGGER fanouts_finished AFTER UPDATE OF "completed_at" ON "fanouts" FOR EACH ROW
  WHEN (OLD."completed_at" IS NULL AND NEW."completed_at" IS NOT NULL) EXECUTE FUNCTION complete_former_fan_out();

-- Those that are not finished. The triggers' lock lets nobody finish one meanwhile.
INSERT INTO "outbox" ("key", "kind", "payload", "due_at")
SELECT 'feed.fan-out:' || "post_id", 'feed.fan-out', jsonb_build_object('postId', "post_id", 'authorId', "author"), now()
FROM "fanouts" WHERE "completed_at" IS NULL
ON CONFLICT DO NOTHING;
