-- What the scripts of warm sets share; each of them begins with entries.lua and this.
--
-- A warm set is one string: a header of 67 bytes, then entries, each of them a place: a post's time and its id. They are a circular
-- buffer: of a full set the oldest is overwritten by the newest, so that a push writes some 40 bytes. From the oldest
-- on they are in the order of places. Integers are big-endian.
--
--   16  the life of this Redis: a set of another one is cold
--    1  bytes an entry: 16 or 22
--    2  entries that are kept
--    2  slot of the oldest entry: 0 until the set is full
--    2  entries
--   22  the newest entry; of an empty set its floor
--   22  floor: at and above this place the set is complete. A full set is complete from its oldest entry on
--
-- An entry is a post's time and id; see entries.lua.
--
-- While it is being built, `building` takes the pushes: a sorted set of ids by time, whose lowest member is life and token,
-- its score -1.
--
-- The string's name ends in -recent. Processes of the version before look for one of their two sorted sets under
-- this name before anything else, remove what is no sorted set, and take the feed for cold; so do these scripts with what is no
-- string. Thus whatever one version pushes makes the other's set cold, and neither misses it.
--
-- ARGV 1 of every script is the name of this life (`nameOfLife`), which is removed here: a script counts its own from 1.
-- Callers name the string alone; the others are beside it, under the same hash tag: …}:feed-recent:ann, …}:feed-building:ann.
local EPOCH, HEADER = 16, 67
local UNPACKED, CHANGES_FROM = '>c16BHHHc22c22', 19

local function buildingOf(key)
  return (string.gsub(key, '}:(%a+)%-recent', '}:%1-building', 1))
end
-- The other sorted set of the version before.
local function formerOf(key)
  return (string.gsub(key, '}:(%a+)%-recent', '}:%1', 1))
end

-- A restart and a promotion give Redis a new replication id, and either may lose writes that were acknowledged.
local replication = string.match(redis.call('INFO', 'replication'), 'master_replid:(%w+)') or ''
-- A server that processes came back to has missed what they wrote meanwhile: this counts how often it was left.
local returns = string.sub(table.remove(ARGV, 1), 9)
local epoch = string.sub(replication .. string.rep('0', EPOCH), 1, EPOCH - #returns) .. returns

-- Whether the first bytes say what can be.
local function isWhole(bytes)
  local width, kept, oldest, count = struct.unpack('>BHHH', bytes, EPOCH + 1)
  return (width == 16 or width == 22) and count <= kept and oldest < kept
end

-- Its first bytes up to `last`; nil of a cold set, and of what is none, which is removed.
local function bytesOf(key, last)
  local bytes = redis.pcall('GETRANGE', key, '0', last)
  if type(bytes) == 'table' then
    redis.call('DEL', key, formerOf(key))
  elseif string.sub(bytes, 1, EPOCH) == epoch then
    if #bytes > tonumber(last) and isWhole(bytes) then return bytes end
    redis.call('DEL', key)
  end
end
-- Its header up to the time of its newest entry, which is all that most pushes look at.
local function startOf(key)
  return bytesOf(key, '28')
end
-- All of it. A set that was cut short has lost entries, and is removed.
local function headerOf(key)
  local header = bytesOf(key, '66')
  if not header then return nil end
  local width, _, _, count = struct.unpack('>BHHH', header, EPOCH + 1)
  if redis.call('STRLEN', key) >= HEADER + count * width then return header end
  redis.call('DEL', key)
end

-- The token of the process that builds a set now, or nil.
local function builderOf(building)
  local first = redis.pcall('ZRANGE', building, 0, 0)
  if first.err then
    redis.call('DEL', building)
  elseif first[1] and string.sub(first[1], 1, EPOCH) == epoch then
    return string.sub(first[1], EPOCH + 1)
  end
end

-- Some entries of a set, oldest first: those from place `from` to before place `to` in their order, counted from 0.
local function entriesOf(key, width, kept, oldest, from, to)
  local first, last = oldest + from, oldest + to
  local function slots(some, before)
    return redis.call('GETRANGE', key, HEADER + some * width, HEADER + before * width - 1)
  end
  if from >= to then return '' end
  if last <= kept then return slots(first, last) end
  if first >= kept then return slots(first - kept, last - kept) end
  return slots(first, kept) .. slots(0, last - kept)
end

local function padded(entry)
  return entry .. string.rep('\0', 22 - #entry)
end

-- Down to where a set is complete.
local function floorOf(key, header)
  local _, width, kept, oldest, count, _, floor = struct.unpack(UNPACKED, header)
  if count == kept then return entriesOf(key, width, kept, oldest, 0, 1) end
  return string.sub(floor, 1, width)
end

-- Writes a whole set: of entries in order the last `kept`. What follows says how long it lives.
local function write(key, floor, kept, entries, ...)
  local width = #floor
  entries = string.sub(entries, -kept * width)
  local newest = entries == '' and floor or string.sub(entries, -width)
  local header = struct.pack(UNPACKED, epoch, width, kept, 0, #entries / width, padded(newest), padded(floor))
  redis.call('SET', key, header .. entries, ...)
end
