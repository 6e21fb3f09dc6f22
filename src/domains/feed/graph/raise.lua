-- Sets a number that only grows.
--
-- KEYS  1 the number (string)
-- ARGV  1 what it is at least; 2 seconds to live
-- Returns what it is now.
local held = tonumber(redis.call('GET', KEYS[1]) or '-1')
local raised = math.max(held, tonumber(ARGV[1]))
redis.call('SET', KEYS[1], raised, 'EX', ARGV[2])
return raised
