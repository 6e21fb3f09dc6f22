-- CreateTable
CREATE TABLE "customer_credit_totals" (
    "user_id" VARCHAR(64) NOT NULL,
    "credit_limits" DECIMAL(40,0) NOT NULL,
    "turn" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "customer_credit_totals_pkey" PRIMARY KEY ("user_id","turn")
);
