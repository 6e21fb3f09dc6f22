-- What workers of a former version call to claim the heads of mailboxes; those of this one say what they know of each
-- (claim_mailboxes).
CREATE OR REPLACE FUNCTION claim_deliveries(users text[], channels text[], priorities text[], tokens uuid[], lease_ms int)
RETURNS TABLE (n int, more boolean, "deliveryId" uuid, "requestId" uuid, "notificationId" text, producer text,
               "userId" text, "notificationType" text, channel text, priority text, attempt int, "maxRetries" int,
               content jsonb, "createdAt" timestamptz, "queuedAt" timestamptz, "isCancelled" boolean,
               "expiresAt" timestamptz, "leaseToken" uuid, "takenOver" boolean,
               "heldBy" uuid, "heldMs" int, "reachedSome" boolean, targets jsonb)
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY SELECT c.n, c.more, c."deliveryId", c."requestId", c."notificationId", c.producer, c."userId", c."notificationType", c.channel,
      c.priority, c.attempt, c."maxRetries", c.content, c."createdAt", c."queuedAt", c."isCancelled", c."expiresAt",
      c."leaseToken", c."takenOver", c."heldBy", c."heldMs", c."reachedSome", c.targets
    FROM claim_mailboxes(users, channels, priorities, tokens, lease_ms, NULL) AS c;
END;
$$;
