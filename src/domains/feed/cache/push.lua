-- Pushes one post to many warm sets (at most 100 a call).
--
-- KEYS  one a set
-- ARGV  1 the post's time in ms; 2 its id, 32 hexadecimal digits
-- Returns how many warm sets took it, or had it.
--
-- What is cold stays cold: it is read from Postgres when its owner comes back. What is being built gets the post through
-- `building`, which the builder merges.
local at = tonumber(ARGV[1])
local id = string.gsub(ARGV[2], '%x%x', function(digits) return string.char(tonumber(digits, 16)) end)
local entries = { [16] = narrowOf(at, id), [22] = wideOf(at, id) }
local firsts = {}
for width, entry in pairs(entries) do firsts[width] = struct.unpack('>I6', entry) end

-- Redis writes a number of Lua with 17 digits, which takes longer than the command that it is for.
local texts = {}
local function textOf(number)
  local text = texts[number] or string.format('%d', number)
  texts[number] = text
  return text
end
local CHANGES_AT = textOf(CHANGES_FROM)

-- One that is newer than all. Of a full set the oldest is overwritten.
local function append(key, entry, kept, oldest, count)
  local slot, isFull = oldest, count == kept
  if isFull then
    oldest = (oldest + 1) % kept
  else
    slot, count = count, count + 1
  end
  redis.call('SETRANGE', key, textOf(HEADER + slot * #entry), entry)
  redis.call('SETRANGE', key, CHANGES_AT, struct.pack('>HH', oldest, count) .. entry)
  -- Redis reserves as much again for a string that grows: a full one grows no more.
  if count == kept and not isFull then redis.call('SET', key, redis.call('GET', key), 'KEEPTTL') end
end

-- One that is not the newest, or needs longer entries: the set is written anew. Answers 1 where the set has it then.
local function insert(key)
  local header = headerOf(key)
  if not header then return 0 end
  local _, width, kept, oldest, count = struct.unpack(UNPACKED, header)
  local floor, all = floorOf(key, header), entriesOf(key, width, kept, oldest, 0, count)
  if not entries[width] then floor, all = wideOf(placeOf(floor)), widened(all) end
  local entry = entries[#floor]
  -- Below the floor Postgres is read; an entry there would be read twice.
  if compared(entry, floor) < 0 then return 0 end
  local more = withEntry(all, entry)
  if more ~= all then write(key, floor, kept, more, 'KEEPTTL') end
  return 1
end

local pushed = 0
for _, key in ipairs(KEYS) do
  local start = startOf(key)
  if start then
    local width, kept, oldest, count, newest = struct.unpack('>BHHHI6', start, EPOCH + 1)
    local first = firsts[width]
    if first and first > newest then
      append(key, entries[width], kept, oldest, count)
      pushed = pushed + 1
    else
      pushed = pushed + insert(key)
    end
  else
    local building = buildingOf(key)
    if builderOf(building) then redis.call('ZADD', building, at, id) end
  end
end
return pushed
