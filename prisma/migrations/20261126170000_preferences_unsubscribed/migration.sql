-- AlterTable
ALTER TABLE "user_notification_prefs" ADD COLUMN     "unsubscribed" BOOLEAN NOT NULL DEFAULT false;

