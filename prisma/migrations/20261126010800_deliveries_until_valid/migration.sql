-- Reads the whole table, while everybody reads and writes it: so it is taken in as a partition without another look.
ALTER TABLE "deliveries" VALIDATE CONSTRAINT "deliveries_until";
