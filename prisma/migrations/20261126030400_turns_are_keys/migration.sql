-- By hand: Prisma would build both keys under an exclusive lock. They take the indexes, and their names.

-- AlterTable
ALTER TABLE "customer_credit" DROP CONSTRAINT "customer_credit_pkey",
ADD CONSTRAINT "customer_credit_pkey" PRIMARY KEY USING INDEX "customer_credit_by_turn";

-- AlterTable
ALTER TABLE "product_stock" DROP CONSTRAINT "product_stock_pkey",
ADD CONSTRAINT "product_stock_pkey" PRIMARY KEY USING INDEX "product_stock_by_turn";
