-- AlterTable
ALTER TABLE "notification_templates" ADD COLUMN     "syntax" VARCHAR(8) NOT NULL DEFAULT 'PLAIN';
