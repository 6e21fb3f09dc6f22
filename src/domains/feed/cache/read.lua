-- Reads a feed at or below a place, newest first, and renews its life.
--
-- KEYS  1 feed (sorted set); 2 meta (hash)
-- ARGV  1 place's time in ms; 2 at most; 3 seconds to live
-- Returns nil for a cold feed, else {fromAt, fromId, id, time, id, time, …}: at and above (fromAt, fromId) the feed is
-- whole. Entries of the place's own millisecond are all there, whatever their id: the caller discards what he has seen.
local from = redis.call('HMGET', KEYS[2], 'fromAt', 'fromId')
if not from[1] then return nil end
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
local answer = redis.call('ZRANGE', KEYS[1], ARGV[1], '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, ARGV[2], 'WITHSCORES')
table.insert(answer, 1, from[2])
table.insert(answer, 1, from[1])
return answer
