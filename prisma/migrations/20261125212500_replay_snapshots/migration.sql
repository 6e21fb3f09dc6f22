-- CreateTable
CREATE TABLE "replay_snapshots" (
    "stream_id" VARCHAR(255) NOT NULL,
    "view" VARCHAR(16) NOT NULL,
    "view_version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "stream_position" INTEGER NOT NULL,
    "global_position" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "replay_snapshots_pkey" PRIMARY KEY ("stream_id","view","view_version","at","stream_position")
);
