-- DropForeignKey
ALTER TABLE "account_transactions" DROP CONSTRAINT "account_transactions_account_id_fkey";

-- DropIndex
DROP INDEX "orders_customer_id_placed_at_idx";

-- AlterTable
ALTER TABLE "projector_checkpoints" ADD COLUMN     "rebuildable" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "orders" ADD COLUMN     "owner_id" VARCHAR(64) NOT NULL,
ALTER COLUMN "total_amount" SET DATA TYPE DECIMAL(20,2);

-- CreateTable
CREATE TABLE "projector_rebuilds" (
    "projector_name" VARCHAR(64) NOT NULL,
    "requested_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "requested_by" VARCHAR(64) NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,
    "finished_at" TIMESTAMPTZ(6),
    "error" TEXT,

    CONSTRAINT "projector_rebuilds_pkey" PRIMARY KEY ("projector_name")
);

-- CreateTable
CREATE TABLE "customer_credit" (
    "customer_id" VARCHAR(200) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "credit_limit" BIGINT NOT NULL,
    "outstanding" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "customer_credit_pkey" PRIMARY KEY ("customer_id")
);

-- CreateTable
CREATE TABLE "product_stock" (
    "product_id" VARCHAR(200) NOT NULL,
    "name" TEXT NOT NULL,
    "unit_price" BIGINT NOT NULL,
    "on_hand" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "product_stock_pkey" PRIMARY KEY ("product_id")
);

-- CreateTable
CREATE TABLE "pending_transfers" (
    "transfer_id" VARCHAR(200) NOT NULL,
    "from_account_id" VARCHAR(200) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pending_transfers_pkey" PRIMARY KEY ("transfer_id")
);

-- CreateTable
CREATE TABLE "pending_messages" (
    "stream_id" VARCHAR(255) NOT NULL,
    "stream_position" INTEGER NOT NULL,
    "correlation_id" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "pending_messages_pkey" PRIMARY KEY ("stream_id","stream_position")
);

-- CreateTable
CREATE TABLE "order_customers" (
    "customer_id" VARCHAR(200) NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "order_customers_pkey" PRIMARY KEY ("customer_id")
);

-- CreateTable
CREATE TABLE "customers" (
    "customer_id" VARCHAR(200) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "first_name" TEXT NOT NULL,
    "last_name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "credit_limit" DECIMAL(20,2) NOT NULL,
    "outstanding" DECIMAL(20,2) NOT NULL,
    "version" INTEGER NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("customer_id")
);

-- CreateTable
CREATE TABLE "products" (
    "product_id" VARCHAR(200) NOT NULL,
    "name" TEXT NOT NULL,
    "unit_price" DECIMAL(20,2) NOT NULL,
    "on_hand" INTEGER NOT NULL,
    "reserved" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "products_pkey" PRIMARY KEY ("product_id")
);

-- CreateTable
CREATE TABLE "transfers" (
    "transfer_id" VARCHAR(200) NOT NULL,
    "from_account_id" VARCHAR(200) NOT NULL,
    "to_account_id" VARCHAR(200) NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "amount" VARCHAR(32) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "description" TEXT,
    "status" VARCHAR(16) NOT NULL,
    "reason" TEXT,
    "started_at" TIMESTAMPTZ(6) NOT NULL,
    "version" INTEGER NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "transfers_pkey" PRIMARY KEY ("transfer_id")
);

-- CreateIndex
CREATE INDEX "customer_credit_user_id_idx" ON "customer_credit"("user_id");

-- CreateIndex
CREATE INDEX "pending_transfers_from_account_id_idx" ON "pending_transfers"("from_account_id");

-- CreateIndex
CREATE INDEX "pending_transfers_due_at_idx" ON "pending_transfers"("due_at");

-- CreateIndex
CREATE INDEX "pending_messages_due_at_idx" ON "pending_messages"("due_at");

-- CreateIndex
CREATE INDEX "customers_user_id_customer_id_idx" ON "customers"("user_id", "customer_id");

-- CreateIndex
CREATE INDEX "orders_owner_id_placed_at_order_id_idx" ON "orders"("owner_id", "placed_at" DESC, "order_id" DESC);

-- CreateIndex
CREATE INDEX "orders_customer_id_placed_at_order_id_idx" ON "orders"("customer_id", "placed_at" DESC, "order_id" DESC);

-- CreateIndex
CREATE INDEX "orders_placed_at_order_id_idx" ON "orders"("placed_at" DESC, "order_id" DESC);

-- CreateIndex
CREATE INDEX "orders_status_placed_at_order_id_idx" ON "orders"("status", "placed_at" DESC, "order_id" DESC);

-- CreateIndex
CREATE INDEX "orders_owner_id_status_placed_at_order_id_idx" ON "orders"("owner_id", "status", "placed_at" DESC, "order_id" DESC);

-- By hand, from here on: what Prisma's schema language cannot say.

-- Whatever a guard is told, more is never promised than there is.
ALTER TABLE "product_stock" ADD CONSTRAINT "product_stock_reserved" CHECK ("reserved" BETWEEN 0 AND "on_hand");
ALTER TABLE "customer_credit" ADD CONSTRAINT "customer_credit_limit" CHECK ("credit_limit" >= 0);

-- Hot rows are rewritten in their own page instead of bloating table and index.
ALTER TABLE "product_stock" SET (fillfactor = 50);
ALTER TABLE "customer_credit" SET (fillfactor = 50);
ALTER TABLE "accounts" SET (fillfactor = 50);
ALTER TABLE "products" SET (fillfactor = 50);
ALTER TABLE "customers" SET (fillfactor = 50);

-- A story: everything that followed from one request.
CREATE INDEX "events_correlation" ON "events" (("metadata" ->> 'correlationId'), "global_position");

-- Products whose events are older than the shelf.
INSERT INTO "product_stock" ("product_id", "name", "unit_price", "on_hand")
SELECT DISTINCT ON ("stream_id") "data" ->> 'productId', "data" ->> 'name',
  (("data" ->> 'unitPrice')::numeric * 100)::bigint, ("data" ->> 'inStock')::int
FROM "events" WHERE "event_type" = 'ProductSaved' ORDER BY "stream_id", "stream_position" DESC;
