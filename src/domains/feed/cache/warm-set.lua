-- What the scripts of warm sets share; it stands before each of them.
--
-- A warm set is two sorted sets of packed post ids (16 bytes: a UUID without its letters) by time in ms: `settled`, large
-- and seldom written, and `recent`, small, which takes every push. Both begin with the same header: a member below all
-- others, of the epoch (16 characters) and the floor's packed id, whose score is -1 - the floor's time. A set is warm if
-- both have this header and its epoch is now: where one of them was lost, or Redis came back from an older copy, it is
-- cold. While it is being built, `building` takes the pushes; its header is epoch and token.
--
-- Callers name `settled` alone; the other two stand beside it, under the same hash tag: …}:feed:ann, …}:feed-recent:ann.
local EPOCH = 16

local function recentOf(settled)
  return (string.gsub(settled, '}:%a+', '%0-recent', 1))
end
local function buildingOf(settled)
  return (string.gsub(settled, '}:%a+', '%0-building', 1))
end

-- A restart and a promotion give Redis a new replication id, and either may lose writes that were acknowledged.
local epoch = string.sub(string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or '', 1, EPOCH)
epoch = epoch .. string.rep('0', EPOCH - #epoch)

local function isOfNow(header)
  return header ~= nil and string.sub(header, 1, EPOCH) == epoch
end

-- The header and its score, where `recent` has one of this epoch.
local function headerOf(recent)
  local first = redis.call('ZRANGE', recent, 0, 0, 'WITHSCORES')
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
