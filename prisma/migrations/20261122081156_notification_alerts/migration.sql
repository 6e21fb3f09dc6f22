-- Nothing that Prisma sees.

-- How attempts ended, in the order of time: what alerts are fed with, every few seconds. One event of seven stands in it.
-- BRIN would be smaller, but reads all that no vacuum has summarised yet: on a table that only grows, that is most of a day.
CREATE INDEX "delivery_events_attempts" ON "delivery_events" ("at") WHERE "event" IN ('SENT', 'RETRY', 'DLQ');

-- A channel's open dead letters, newest first.
CREATE INDEX "failed_notifications_open_of_channel"
  ON "failed_notifications" ("channel", "failed_at" DESC, "delivery_id" DESC) WHERE "settled_at" IS NULL;
