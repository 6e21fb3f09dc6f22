-- CreateTable
CREATE TABLE "mentions" (
    "subject_id" UUID NOT NULL,
    "user_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,

    CONSTRAINT "mentions_pkey" PRIMARY KEY ("subject_id","user_id")
);
