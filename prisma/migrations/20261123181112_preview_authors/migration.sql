-- AlterTable
ALTER TABLE "link_previews" ADD COLUMN     "author_id" BIGINT;

-- Turns of an author's previews, and how many of them wait.
CREATE INDEX "link_previews_waiting_of_author" ON "link_previews" ("author_id", "due_at") WHERE "state" = 'waiting';
