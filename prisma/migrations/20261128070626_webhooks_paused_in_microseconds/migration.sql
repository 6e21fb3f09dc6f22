-- Rounded to a millisecond, an instant may be half a millisecond later than the clock that it was taken from: what became due would not be
-- due yet to whoever looks right after. More digits leave rows and indexes as they are.
ALTER TABLE "webhooks" ALTER COLUMN "paused_until" SET DATA TYPE TIMESTAMPTZ(6);
