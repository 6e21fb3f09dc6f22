-- AlterTable
ALTER TABLE "user_devices" ADD COLUMN     "auth" VARCHAR(24),
ADD COLUMN     "p256dh" VARCHAR(88),
ALTER COLUMN "device_token" SET DATA TYPE VARCHAR(4096);

-- Functions are replaced after all migrations, and the next one takes endpoints and keys apart. Whatever is claimed in between
-- would be addressed by a bare endpoint, which workers take for a broken subscription: they would remove the browser. So the
-- function that a former version left already puts both together. A new database has none yet.
DO $do$
DECLARE
  former text := pg_get_functiondef(to_regproc('claim_deliveries'));
BEGIN
  IF former IS NOT NULL THEN
    EXECUTE replace(former, $$'address', u.device_token)$$, $$'address', CASE
      WHEN u.p256dh IS NULL OR u.device_token LIKE '{%' THEN u.device_token
      ELSE jsonb_build_object('endpoint', u.device_token, 'keys',
                              jsonb_build_object('p256dh', u.p256dh, 'auth', u.auth))::text
    END)$$);
  END IF;
END;
$do$;
