-- CreateTable
CREATE TABLE "schedules" (
    "name" VARCHAR(100) NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "next_at" TIMESTAMPTZ(6),
    "run_id" UUID,

    CONSTRAINT "schedules_pkey" PRIMARY KEY ("name")
);
