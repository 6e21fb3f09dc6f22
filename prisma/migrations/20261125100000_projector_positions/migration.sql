-- By hand: Prisma would drop the table.

ALTER TABLE "projector_checkpoints" RENAME TO "projectors";
ALTER TABLE "projectors" RENAME CONSTRAINT "projector_checkpoints_pkey" TO "projectors_pkey";

-- CreateTable
CREATE TABLE "projector_positions" (
    "projector_name" VARCHAR(64) NOT NULL,
    "position" BIGINT NOT NULL,
    "moved_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projector_positions_pkey" PRIMARY KEY ("projector_name","position")
);

INSERT INTO "projector_positions" ("projector_name", "position", "moved_at")
SELECT "projector_name", "last_position", "updated_at" FROM "projectors";
ALTER TABLE "projectors" DROP COLUMN "last_position", DROP COLUMN "updated_at";

-- Processes of the version before read, register and move checkpoints by the former name until they have ended; those of
-- this version do not use it. Volatile, so that whoever locked a checkpoint reads what was committed while it waited.
CREATE FUNCTION former_checkpoint(name text) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce((
    SELECT "position" FROM "projector_positions" WHERE "projector_name" = name ORDER BY "position" DESC LIMIT 1
  ), 0);
$$;
CREATE VIEW "projector_checkpoints" AS
SELECT p."projector_name", former_checkpoint(p."projector_name") AS "last_position",
  (SELECT "moved_at" FROM "projector_positions" at
   WHERE at."projector_name" = p."projector_name" ORDER BY at."position" DESC LIMIT 1) AS "updated_at",
  p."rebuildable"
FROM "projectors" p;

-- Moves nothing where somebody else has moved. The projector's own row is written too: who locks it waits for the mover.
CREATE FUNCTION move_former_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "projectors" SET "rebuildable" = NEW."rebuildable" WHERE "projector_name" = OLD."projector_name";
  IF NEW."last_position" = OLD."last_position" THEN
    RETURN NEW;
  END IF;
  -- What a process of the version before has registered has no position yet.
  INSERT INTO "projector_positions" ("projector_name", "position")
  SELECT OLD."projector_name", 0
  WHERE NOT EXISTS (SELECT FROM "projector_positions" WHERE "projector_name" = OLD."projector_name")
  ON CONFLICT DO NOTHING;
  UPDATE "projector_positions" SET "position" = NEW."last_position", "moved_at" = now()
  WHERE "projector_name" = OLD."projector_name" AND "position" = OLD."last_position";
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER projector_checkpoints_move INSTEAD OF UPDATE ON "projector_checkpoints"
  FOR EACH ROW EXECUTE FUNCTION move_former_checkpoint();
