-- The same for numbers. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "user_notification_settings_by_phone" ON "user_notification_settings" ("phone") WHERE "phone" IS NOT NULL;
