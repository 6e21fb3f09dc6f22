-- The rows are few. Processes of the version before change them without another turn, as ever.

-- AlterTable
ALTER TABLE "notification_rollup_state" DROP CONSTRAINT "notification_rollup_state_pkey",
ADD COLUMN     "turn" BIGINT NOT NULL DEFAULT 0,
ADD CONSTRAINT "notification_rollup_state_pkey" PRIMARY KEY ("id", "turn");

-- AlterTable
ALTER TABLE "schedules" DROP CONSTRAINT "schedules_pkey",
ADD COLUMN     "turn" BIGINT NOT NULL DEFAULT 0,
ADD CONSTRAINT "schedules_pkey" PRIMARY KEY ("name", "turn");

-- By hand, from here on: what Prisma's schema language cannot say.

-- Processes of the version before register every name again and again, and the key no longer tells them that it is there.
CREATE FUNCTION refuse_second_schedule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "schedules" WHERE "name" = NEW."name") THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END;
$$;
CREATE TRIGGER schedules_one_of_a_name BEFORE INSERT ON "schedules"
  FOR EACH ROW EXECUTE FUNCTION refuse_second_schedule();
