-- People whose names start with a text while their ids do not: those that share fewer characters with their id than the text has.
-- A range for each number of characters, each in the order of names. users_by_name is left to former versions: to be dropped by a
-- later one. The only statement: it runs in no transaction.
CREATE INDEX CONCURRENTLY "users_by_name_alone" ON "users" (
  shared_prefix(lower("user_id"), lower("display_name")), (lower("display_name") COLLATE "C"), "id");
