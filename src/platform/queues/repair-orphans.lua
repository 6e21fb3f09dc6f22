-- Removes jobs that are in no list of the queue and would never run.
-- ARGV[4…] jobs that were in no sorted set and afterwards in no list, each followed by its traces when it was looked at first:
-- where these are the same, it was in none of both ever since
-- Answers what was removed: a key's name within the queue and what stood there, again and again.
for index = 4, #ARGV, 2 do
  local id = ARGV[index]
  if redis.call('TYPE', prefix .. id).ok == 'hash' and traces(id) == ARGV[index + 1] and not is_in_sorted_set(id) then
    discard(id, 'a job in no list')
  end
end
return removed
