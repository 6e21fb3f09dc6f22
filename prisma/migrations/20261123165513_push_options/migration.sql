-- AlterTable
ALTER TABLE "notification_templates" ADD COLUMN     "push_options" JSONB NOT NULL DEFAULT '{}';
