-- AlterTable
ALTER TABLE "notification_rollup_state" ADD COLUMN     "days_until" TIMESTAMPTZ(0) NOT NULL DEFAULT 'epoch'::timestamptz,
ADD COLUMN     "minutes_from" TIMESTAMPTZ(0) NOT NULL DEFAULT 'epoch'::timestamptz;

-- By hand, from here on: what Prisma's schema language cannot say.

-- Days are added up from the first hour on, by workers, a few at a time.
UPDATE "notification_rollup_state" SET "days_until" = date_bin('1 day', coalesce(
  (SELECT min("starts_at") FROM "notification_rollups" WHERE "seconds" = 3600), "settled_until"), 'epoch');

-- Whoever settles hours anew, a worker of a former version and an operator too, has their days added up anew.
CREATE FUNCTION reopen_days_of_rollups() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.days_until := date_bin('1 day', NEW.settled_until, 'epoch');
  RETURN NEW;
END;
$$;
CREATE TRIGGER notification_rollup_state_days BEFORE UPDATE ON "notification_rollup_state"
  FOR EACH ROW WHEN (NEW.settled_until < NEW.days_until) EXECUTE FUNCTION reopen_days_of_rollups();
