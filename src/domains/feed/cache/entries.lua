-- Entries of warm sets as bytes; what warm sets are made of stands in warm-set.lua. Nothing here asks Redis.
--
-- An entry is a place: a post's time in ms, and its id. The bytes of entries sort as their places do. One of 22 bytes is the time (6)
-- and the id (16). One of 16 bytes uses that a UUIDv7 begins with the time of its making, which is about the post's time, and
-- that 6 bits of each are the same: 42 bits of the post's time, 12 of how much later than that the id was made (+ 3,071 ms), and
-- the 74 random ones. Where one place does not fit into that, all entries of its set have 22 bytes. Zero bytes are the place
-- below all others.
local SPREAD = 3071

local function wideOf(at, id)
  return struct.pack('>I6', math.min(at, 2 ^ 48 - 1)) .. id
end

-- The same place in 16 bytes, or nil where that does not hold it.
local function narrowOf(at, id)
  local made, version, variant = struct.unpack('>I6HB', id)
  local later = made - at + SPREAD
  if later < 0 or later > 4095 or at >= 2 ^ 42 or math.floor(version / 4096) ~= 7 or math.floor(variant / 64) ~= 2 then
    return nil
  end
  local middle = later % 64 * 2 ^ 18 + version % 4096 * 64 + variant % 64
  return struct.pack('>I6I3', at * 64 + math.floor(later / 64), middle) .. string.sub(id, 10)
end

-- The time and the id of an entry.
local function placeOf(entry)
  local first = struct.unpack('>I6', entry)
  if #entry == 22 then return first, string.sub(entry, 7) end
  local middle = struct.unpack('>I3', entry, 7)
  if first == 0 and middle == 0 then return 0, string.rep('\0', 16) end
  local at = math.floor(first / 64)
  local made = at + first % 64 * 64 + math.floor(middle / 2 ^ 18) - SPREAD
  return at, struct.pack('>I6HB', made, 28672 + math.floor(middle / 64) % 4096, 128 + middle % 64) .. string.sub(entry, 10)
end

-- Below 0 where `a` comes first. Byte by byte: Lua would compare by the server's locale.
local function compared(a, b)
  if a == b then return 0 end
  for i = 1, #a do
    local difference = string.byte(a, i) - string.byte(b, i)
    if difference ~= 0 then return difference end
  end
  return 0
end

-- How many of `count` entries that `entryAt(i)` gives in order, counted from 0, come before what `isAfter` is true of.
local function countBefore(count, isAfter)
  local from, to = 0, count
  while from < to do
    local middle = math.floor((from + to) / 2)
    if isAfter(middle) then to = middle else from = middle + 1 end
  end
  return from
end

-- Entries in order with one more, which is there once.
local function withEntry(entries, entry)
  local width = #entry
  local function at(i)
    return string.sub(entries, i * width + 1, (i + 1) * width)
  end
  local place = countBefore(#entries / width, function(i) return compared(at(i), entry) >= 0 end)
  if at(place) == entry then return entries end
  return string.sub(entries, 1, place * width) .. entry .. string.sub(entries, place * width + 1)
end

-- Entries of 16 bytes as such of 22.
local function widened(entries)
  return (string.gsub(entries, string.rep('.', 16), function(entry) return wideOf(placeOf(entry)) end))
end
