-- What the scripts of warm sets share; each of them begins with it.
--
-- A warm set is two sorted sets of packed post ids (16 bytes: a UUID without its letters) by time in ms: `settled`, large
-- and seldom written, and `recent`, small, which takes every push. Both begin with the same header: a member below all
-- others, of the life of this Redis (16 characters) and the floor's packed id, whose score is -1 - the floor's time. A set is warm if
-- both have this header and its life is the current one: where one of them was lost, or Redis came back from an older copy, it is
-- cold. While it is being built, `building` takes the pushes; its header is life and token.
--
-- ARGV 1 of every script is the name of that life (`nameOfLife`), which is removed here: a script counts its own from 1.
-- Callers name `settled` alone; the other two are beside it, under the same hash tag: …}:feed:ann, …}:feed-recent:ann.
local EPOCH = 16

local function recentOf(settled)
  return (string.gsub(settled, '}:%a+', '%0-recent', 1))
end
local function buildingOf(settled)
  return (string.gsub(settled, '}:%a+', '%0-building', 1))
end

-- A restart and a promotion give Redis a new replication id, and either may lose writes that were acknowledged.
local replication = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
-- A server that processes came back to has missed what they wrote meanwhile: this counts how often it was left.
local returns = string.sub(table.remove(ARGV, 1), 9)
local epoch = string.sub(replication .. string.rep('0', EPOCH), 1, EPOCH - #returns) .. returns

local function isOfNow(header)
  return header ~= nil and string.sub(header, 1, EPOCH) == epoch
end

-- The lowest member and its score. A key of another type is removed: it is as good as lost, and its set is cold.
local function firstOf(key)
  local first = redis.pcall('ZRANGE', key, 0, 0, 'WITHSCORES')
  if not first.err then return first end
  redis.call('DEL', key)
  return {}
end

-- The header and its score, where `recent` has one of this epoch.
local function headerOf(recent)
  local first = firstOf(recent)
  if isOfNow(first[1]) and tonumber(first[2]) < 0 then return first[1], first[2] end
end

-- Byte by byte: Lua would compare by the server's locale.
local function isAtOrAbove(at, id, header, score)
  local floor = -1 - tonumber(score)
  if at ~= floor then return at > floor end
  for i = 1, 16 do
    local own, other = string.byte(id, i), string.byte(header, EPOCH + i)
    if own ~= other then return own > other end
  end
  return true
end
