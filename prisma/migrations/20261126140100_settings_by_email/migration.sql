-- Whose address is added to the suppression list or removed from it. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "user_notification_settings_by_email" ON "user_notification_settings" (lower("email" COLLATE "C"))
  WHERE "email" IS NOT NULL;
