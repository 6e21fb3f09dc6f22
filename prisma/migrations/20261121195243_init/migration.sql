-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "events" (
    "global_position" BIGINT NOT NULL,
    "stream_id" VARCHAR(255) NOT NULL,
    "stream_position" INTEGER NOT NULL,
    "event_type" VARCHAR(255) NOT NULL,
    "data" JSONB NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("global_position")
);

-- CreateTable
CREATE TABLE "commands" (
    "command_id" VARCHAR(255) NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "result" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "commands_pkey" PRIMARY KEY ("command_id")
);

-- CreateTable
CREATE TABLE "snapshots" (
    "stream_id" VARCHAR(255) NOT NULL,
    "stream_position" INTEGER NOT NULL,
    "data" JSONB NOT NULL,
    "state_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "snapshots_pkey" PRIMARY KEY ("stream_id")
);

-- CreateTable
CREATE TABLE "projector_checkpoints" (
    "projector_name" VARCHAR(64) NOT NULL,
    "last_position" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projector_checkpoints_pkey" PRIMARY KEY ("projector_name")
);

-- CreateTable
CREATE TABLE "projector_failures" (
    "projector_name" VARCHAR(64) NOT NULL,
    "global_position" BIGINT NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 1,
    "failed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projector_failures_pkey" PRIMARY KEY ("projector_name")
);

-- CreateTable
CREATE TABLE "users" (
    "id" BIGSERIAL NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "display_name" VARCHAR(100) NOT NULL,
    "avatar_url" TEXT,
    "is_verified" BOOLEAN NOT NULL DEFAULT false,
    "is_celebrity" BOOLEAN NOT NULL DEFAULT false,
    "follower_count" INTEGER NOT NULL DEFAULT 0,
    "following_count" INTEGER NOT NULL DEFAULT 0,
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "follows" (
    "follower_id" BIGINT NOT NULL,
    "followee_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "follows_pkey" PRIMARY KEY ("follower_id","followee_id")
);

-- CreateTable
CREATE TABLE "posts" (
    "post_id" UUID NOT NULL,
    "author_id" BIGINT NOT NULL,
    "content" TEXT NOT NULL,
    "media_urls" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "visibility" VARCHAR(16) NOT NULL DEFAULT 'public',
    "distribution" VARCHAR(8) NOT NULL DEFAULT 'push',
    "position" BIGINT NOT NULL,
    "like_count" INTEGER NOT NULL DEFAULT 0,
    "share_count" INTEGER NOT NULL DEFAULT 0,
    "comment_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "edited_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "posts_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "fanouts" (
    "post_id" UUID NOT NULL,
    "author" VARCHAR(64) NOT NULL,
    "position" BIGINT NOT NULL,
    "after_follower" BIGINT NOT NULL DEFAULT 0,
    "followers" INTEGER NOT NULL DEFAULT 0,
    "pushed" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "fanouts_pkey" PRIMARY KEY ("post_id")
);

-- CreateTable
CREATE TABLE "user_notification_prefs" (
    "user_id" VARCHAR(64) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_notification_prefs_pkey" PRIMARY KEY ("user_id","notification_type","channel")
);

-- CreateTable
CREATE TABLE "user_notification_settings" (
    "user_id" VARCHAR(64) NOT NULL,
    "quiet_hours_start" TIME(0),
    "quiet_hours_end" TIME(0),
    "timezone" VARCHAR(64) NOT NULL DEFAULT 'UTC',
    "language" VARCHAR(8),
    "marketing_opt_in" BOOLEAN NOT NULL DEFAULT true,
    "digest_frequency" VARCHAR(16) NOT NULL DEFAULT 'realtime',
    "email" VARCHAR(254),
    "phone" VARCHAR(16),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_notification_settings_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "user_devices" (
    "user_id" VARCHAR(64) NOT NULL,
    "device_id" VARCHAR(128) NOT NULL,
    "platform" VARCHAR(16) NOT NULL,
    "device_token" VARCHAR(512) NOT NULL,
    "app_version" VARCHAR(16),
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_devices_pkey" PRIMARY KEY ("user_id","device_id")
);

-- CreateTable
CREATE TABLE "notification_templates" (
    "template_id" VARCHAR(64) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "language" VARCHAR(8) NOT NULL DEFAULT 'en',
    "version" INTEGER NOT NULL DEFAULT 1,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "subject" TEXT,
    "title" TEXT,
    "body" TEXT NOT NULL,
    "html_body" TEXT,
    "image_url" TEXT,
    "action_url" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "created_by" VARCHAR(64),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_templates_pkey" PRIMARY KEY ("template_id")
);

-- CreateTable
CREATE TABLE "notification_ids" (
    "producer" VARCHAR(64) NOT NULL,
    "notification_id" VARCHAR(64) NOT NULL,
    "request_id" UUID NOT NULL,
    "body_hash" BYTEA NOT NULL,
    "response" JSONB NOT NULL,
    "first_seen" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_ids_pkey" PRIMARY KEY ("producer","notification_id")
);

-- CreateTable
CREATE TABLE "notification_requests" (
    "request_id" UUID NOT NULL,
    "producer" VARCHAR(64) NOT NULL,
    "notification_id" VARCHAR(64) NOT NULL,
    "type" VARCHAR(64) NOT NULL,
    "priority" VARCHAR(8) NOT NULL,
    "template_id" VARCHAR(64) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "correlation_id" VARCHAR(128) NOT NULL,
    "last_event" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notification_requests_pkey" PRIMARY KEY ("request_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "delivery_id" UUID NOT NULL,
    "request_id" UUID NOT NULL,
    "notification_id" VARCHAR(64) NOT NULL,
    "producer" VARCHAR(64) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "notification_type" VARCHAR(64) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "priority" VARCHAR(8) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "suppression" VARCHAR(32),
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "max_retries" INTEGER NOT NULL,
    "last_error" TEXT,
    "next_retry_at" TIMESTAMPTZ(3),
    "rendered_content" JSONB NOT NULL,
    "recipient_address" VARCHAR(320),
    "sequence" BIGSERIAL NOT NULL,
    "lease_token" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateTable
CREATE TABLE "delivery_targets" (
    "delivery_id" UUID NOT NULL,
    "target" VARCHAR(128) NOT NULL,
    "error" TEXT,
    "provider_id" VARCHAR(255),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_targets_pkey" PRIMARY KEY ("delivery_id","target")
);

-- CreateTable
CREATE TABLE "delivery_events" (
    "request_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "delivery_id" UUID NOT NULL,
    "event" VARCHAR(24) NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "detail" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "delivery_events_pkey" PRIMARY KEY ("request_id","number","at")
) PARTITION BY RANGE ("at");

-- CreateTable
CREATE TABLE "failed_notifications" (
    "delivery_id" UUID NOT NULL,
    "notification_id" VARCHAR(64) NOT NULL,
    "user_id" VARCHAR(64) NOT NULL,
    "channel" VARCHAR(16) NOT NULL,
    "error" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "failed_notifications_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "account_id" VARCHAR(200) NOT NULL,
    "owner_id" VARCHAR(64) NOT NULL,
    "status" VARCHAR(8) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "balance" BIGINT NOT NULL,
    "version" INTEGER NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "account_transactions" (
    "account_id" VARCHAR(200) NOT NULL,
    "version" INTEGER NOT NULL,
    "date" TIMESTAMPTZ(6) NOT NULL,
    "description" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,

    CONSTRAINT "account_transactions_pkey" PRIMARY KEY ("account_id","version")
);

-- CreateTable
CREATE TABLE "orders" (
    "order_id" VARCHAR(200) NOT NULL,
    "customer_id" VARCHAR(200) NOT NULL,
    "customer_name" TEXT NOT NULL,
    "customer_email" TEXT NOT NULL,
    "status" VARCHAR(16) NOT NULL,
    "items" JSONB NOT NULL,
    "total_amount" DECIMAL(20,4) NOT NULL,
    "shipping_address" TEXT NOT NULL,
    "estimated_delivery" DATE,
    "placed_at" TIMESTAMPTZ(6) NOT NULL,
    "tracking_number" TEXT,
    "shipped_at" TIMESTAMPTZ(6),
    "cancelled_at" TIMESTAMPTZ(6),
    "cancellation_reason" TEXT,
    "version" INTEGER NOT NULL,
    "last_event_position" BIGINT NOT NULL,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("order_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "events_stream_id_stream_position_key" ON "events"("stream_id", "stream_position");

-- CreateIndex
CREATE INDEX "commands_created_at_idx" ON "commands"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "users_user_id_key" ON "users"("user_id");

-- CreateIndex
CREATE INDEX "follows_followee_id_follower_id_idx" ON "follows"("followee_id", "follower_id");

-- CreateIndex
CREATE INDEX "follows_followee_id_created_at_follower_id_idx" ON "follows"("followee_id", "created_at" DESC, "follower_id" DESC);

-- CreateIndex
CREATE INDEX "follows_follower_id_created_at_followee_id_idx" ON "follows"("follower_id", "created_at" DESC, "followee_id" DESC);

-- CreateIndex
CREATE INDEX "posts_author_id_position_idx" ON "posts"("author_id", "position");

-- CreateIndex
CREATE INDEX "posts_author_id_created_at_post_id_idx" ON "posts"("author_id", "created_at" DESC, "post_id" DESC);

-- CreateIndex
CREATE INDEX "user_devices_device_token_idx" ON "user_devices"("device_token");

-- CreateIndex
CREATE UNIQUE INDEX "notification_templates_notification_type_channel_language_v_key" ON "notification_templates"("notification_type", "channel", "language", "version");

-- CreateIndex
CREATE INDEX "notification_requests_producer_notification_id_idx" ON "notification_requests"("producer", "notification_id");

-- CreateIndex
CREATE INDEX "notification_requests_created_at_request_id_idx" ON "notification_requests"("created_at", "request_id");

-- CreateIndex
CREATE INDEX "deliveries_user_id_created_at_delivery_id_idx" ON "deliveries"("user_id", "created_at" DESC, "delivery_id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_request_id_user_id_channel_key" ON "deliveries"("request_id", "user_id", "channel");

-- CreateIndex
CREATE INDEX "delivery_events_delivery_id_number_idx" ON "delivery_events"("delivery_id", "number");

-- CreateIndex
CREATE INDEX "failed_notifications_channel_failed_at_idx" ON "failed_notifications"("channel", "failed_at");

-- CreateIndex
CREATE INDEX "accounts_owner_id_account_id_idx" ON "accounts"("owner_id", "account_id");

-- CreateIndex
CREATE INDEX "orders_customer_id_placed_at_idx" ON "orders"("customer_id", "placed_at" DESC);

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_follower_id_fkey" FOREIGN KEY ("follower_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "follows" ADD CONSTRAINT "follows_followee_id_fkey" FOREIGN KEY ("followee_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "posts" ADD CONSTRAINT "posts_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "notification_requests"("request_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delivery_targets" ADD CONSTRAINT "delivery_targets_delivery_id_fkey" FOREIGN KEY ("delivery_id") REFERENCES "deliveries"("delivery_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_transactions" ADD CONSTRAINT "account_transactions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("account_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand, from here on: what Prisma's schema language cannot say.

-- Days get partitions of their own ahead of time (ensure_delivery_event_partitions); whatever has none falls in here.
CREATE TABLE "delivery_events_default" PARTITION OF "delivery_events" DEFAULT;

-- The log is append-only: the database itself refuses everything else.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END;
$$;
CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE "events" ENABLE ALWAYS TRIGGER events_are_append_only;

-- Fan-outs that are still to be finished.
CREATE INDEX "fanouts_unfinished" ON "fanouts" ("position") WHERE "completed_at" IS NULL;
CREATE INDEX "fanouts_unfinished_of_author" ON "fanouts" ("author", "position") WHERE "completed_at" IS NULL;

-- At most one version of a template is active.
CREATE UNIQUE INDEX "notification_templates_active" ON "notification_templates" ("notification_type", "channel", "language")
  WHERE "is_active";

-- A user's mailbox, in order, and what the sweeper looks at.
CREATE INDEX "deliveries_mailbox" ON "deliveries" ("user_id", "channel", "priority", "sequence") WHERE "status" = 'QUEUED';
CREATE INDEX "deliveries_retrying" ON "deliveries" ("next_retry_at") WHERE "status" = 'RETRYING';
-- Dead letters that are still open, to be counted without looking at anything else.
CREATE INDEX "deliveries_dead" ON "deliveries" ("channel") WHERE "status" = 'DEAD';

-- The newest request under an id, whoever sent it; and ids in the order in which they are forgotten.
CREATE INDEX "notification_requests_by_name" ON "notification_requests" ("notification_id", "created_at" DESC, "request_id" DESC);
CREATE INDEX "notification_ids_first_seen" ON "notification_ids" ("first_seen");
