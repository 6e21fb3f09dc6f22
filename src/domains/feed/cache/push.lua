-- Pushes one post to the feeds of many followers (at most 100 a call).
--
-- KEYS  four a follower: feed (sorted set), meta (hash), token (string), building (sorted set)
-- ARGV  1 score: the post's time in ms; 2 post id; 3 entries kept; 4 trim only above this many
-- Returns how many warm feeds took it.
--
-- A feed that is cold stays cold: it is read from Postgres when its owner comes back. A feed that is being built gets
-- the post through `building`, which the builder merges.
local score, post = tonumber(ARGV[1]), ARGV[2]
local keep, slack = tonumber(ARGV[3]), tonumber(ARGV[4])
local pushed = 0
for i = 1, #KEYS, 4 do
  local feed, meta = KEYS[i], KEYS[i + 1]
  local from = redis.call('HMGET', meta, 'fromAt', 'fromId')
  if from[1] then
    local at = tonumber(from[1])
    -- Below the floor Postgres answers; an entry there would be read twice.
    if score > at or (score == at and post >= from[2]) then
      redis.call('ZADD', feed, score, post)
      pushed = pushed + 1
      if redis.call('ZCARD', feed) > slack then
        redis.call('ZREMRANGEBYRANK', feed, 0, -keep - 1)
        local oldest = redis.call('ZRANGE', feed, 0, 0, 'WITHSCORES')
        redis.call('HSET', meta, 'fromAt', oldest[2], 'fromId', oldest[1])
      end
    end
  elseif redis.call('EXISTS', KEYS[i + 2]) == 1 then
    redis.call('ZADD', KEYS[i + 3], score, post)
    redis.call('PEXPIRE', KEYS[i + 3], 60000)
  end
end
return pushed
