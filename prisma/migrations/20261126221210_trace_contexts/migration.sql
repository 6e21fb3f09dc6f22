-- W3C trace contexts, by which what comes out of the outbox or a mailbox goes on with its request's trace. Processes of the version before
-- write and read none.
-- AlterTable
ALTER TABLE "notification_requests" ADD COLUMN     "traceparent" VARCHAR(55);

-- AlterTable
ALTER TABLE "outbox" ADD COLUMN     "traceparent" VARCHAR(55);
