-- Reads the whole table, while everybody reads and writes it: so it is taken in as a partition without another look.
ALTER TABLE "delivery_targets" VALIDATE CONSTRAINT "delivery_targets_until";
