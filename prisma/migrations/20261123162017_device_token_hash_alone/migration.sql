-- The hash takes the place of the old index, and the name that Prisma gives it. Where an earlier form of the migration before this
-- one has done all of that, there is nothing to do.
DO $$
BEGIN
  IF to_regclass('user_devices_device_token_hash') IS NOT NULL THEN
    DROP INDEX "user_devices_device_token_idx";
    ALTER INDEX "user_devices_device_token_hash" RENAME TO "user_devices_device_token_idx";
  END IF;
END;
$$;
