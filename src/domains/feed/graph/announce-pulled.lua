-- Stores how many authors there are whose posts are pulled. The same number keeps its version; any other begins a
-- new one, so that an announcement that comes late, and a number that Postgres never had, are replaced.
--
-- KEYS  1 `number/version` (string)
-- ARGV  1 the number that Postgres has; 2 the version that would begin, never used before; 3 seconds to live
-- Returns the value that is stored now.
local held = redis.call('GET', KEYS[1]) or ''
local stands = string.match(held, '^(%d+)/[%w-]+$') == ARGV[1]
local announced = stands and held or (ARGV[1] .. '/' .. ARGV[2])
redis.call('SET', KEYS[1], announced, 'EX', ARGV[3])
return announced
