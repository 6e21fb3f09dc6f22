-- Answers the generation of the counts in this Redis; where there is none, or it is of another epoch, a new one begins.
--
-- KEYS  1 generation (string)
-- ARGV  1 epoch, with which a generation of it starts; 2 a generation that was never used, in case one is needed
-- Returns the generation. Counts of another generation count as absent.
local generation = redis.call('GET', KEYS[1])
if generation and string.sub(generation, 1, #ARGV[1]) == ARGV[1] then return generation end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
