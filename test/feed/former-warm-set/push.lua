-- Pushes one post to many warm sets (at most 100 a call).
--
-- KEYS  one a set: settled (sorted set)
-- ARGV  1 the post's time in ms; 2 its id, 32 hexadecimal digits; 3 entries kept; 4 `recent` is settled above this many
-- Returns how many warm sets took it.
--
-- What is cold stays cold: it is read from Postgres when its owner comes back. What is being built gets the post through
-- `building`, which the builder merges.
local at, keep, few = tonumber(ARGV[1]), tonumber(ARGV[3]), tonumber(ARGV[4])
local post = string.gsub(ARGV[2], '%x%x', function(digits) return string.char(tonumber(digits, 16)) end)

-- Merges both sets, trims them to what is kept, and raises the floor to the oldest entry.
local function settle(settled, recent, header, score)
  local life = redis.call('PTTL', recent)
  local first = firstOf(settled)
  if first[1] ~= header then return redis.call('DEL', settled, recent) end
  redis.call('ZUNIONSTORE', settled, 2, settled, recent, 'AGGREGATE', 'MAX')
  if redis.call('ZCARD', settled) > keep + 1 then
    redis.call('ZREMRANGEBYRANK', settled, 0, -keep - 1)
    local oldest = redis.call('ZRANGE', settled, 0, 0, 'WITHSCORES')
    header, score = epoch .. oldest[1], -1 - tonumber(oldest[2])
    redis.call('ZADD', settled, score, header)
  end
  redis.call('DEL', recent)
  redis.call('ZADD', recent, score, header)
  redis.call('PEXPIRE', settled, life)
  redis.call('PEXPIRE', recent, life)
end

local pushed = 0
for i, settled in ipairs(KEYS) do
  local recent = recentOf(settled)
  local header, score = headerOf(recent)
  if header then
    -- Below the floor Postgres is read; an entry there would be read twice.
    if isAtOrAbove(at, post, header, score) then
      redis.call('ZADD', recent, at, post)
      pushed = pushed + 1
      -- One in 32 checks, so that feeds that were filled alike are not all settled by the same push.
      if (at + i) % 32 == 0 and redis.call('ZCARD', recent) > few then settle(settled, recent, header, score) end
    end
  else
    local building = buildingOf(settled)
    if isOfNow(firstOf(building)[1]) then redis.call('ZADD', building, at, post) end
  end
end
return pushed
