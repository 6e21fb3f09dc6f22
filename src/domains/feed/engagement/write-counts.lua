-- Writes posts' counts, unless Redis has them from a later moment already.
--
-- KEYS  1 generation (string); then one a post (string): "<generation> <log position> <counts>"
-- ARGV  1 the generation as of before Postgres was read; 2 log position that the counts are as of; 3 seconds to live;
--       then one a post: its counts
-- Returns how many were written; -1 where the generation ended meanwhile: later counts may have been lost with it, and
-- these must not take their place.
local generation, position = ARGV[1], ARGV[2]
-- A key of another type counts as absent.
if redis.pcall('GET', KEYS[1]) ~= generation then return -1 end
local prefix = generation .. ' '
local written = 0
for i = 2, #KEYS do
  local known = redis.pcall('GET', KEYS[i])
  local later = type(known) == 'string' and string.sub(known, 1, #prefix) == prefix
    and (tonumber(string.match(known, '^(%d+) [%d -]+$', #prefix + 1)) or -1) > tonumber(position)
  if not later then
    redis.call('SET', KEYS[i], prefix .. position .. ' ' .. ARGV[i + 2], 'EX', ARGV[3])
    written = written + 1
  end
end
return written
