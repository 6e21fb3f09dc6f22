-- Records: all counters that one key holds, so that a check reads and writes one value whatever its number of tiers. A part of
-- the scripts that `scripts.ts` composes, after values.lua.
--
-- Value    string: a byte of 1; the number of counters (2 bytes); for each counter an entry: its id (8 bytes), its life
--          (4 bytes, seconds), and how many numbers its state has (1 byte); when the key expires (ms since the epoch); for each counter, in the same order, its state.
--          Numbers are little-endian, those after the entries doubles. Anything else counts as absent
-- State    the time from which the counter lives for its life, in microseconds, 0 where it counts nothing yet; and one number or
--          two that its algorithm says
-- Expiry   set where the value is written whole: when the last counter's life ends. A charge that stays within it writes the
--          numbers over those that were there, by SETRANGE, which leaves the expiry and takes less than half the time of SET
--
-- record_at(key)           the record of a key that was fetched: its numbers, from 1 on, as in the value
-- places_in(record, group) where the state of each counter of a group begins in it, in order, and `exact` where it holds these
--                          alone and in this order. Counters that are missing are added in memory, and those whose life is
--                          over are left out: other places move then. A group is the uses of a check with one key
-- find(record, use)        where one begins, by the counter's id alone; nil where it counts nothing. Adds nothing
-- committed(record)        the numbers as of the last change(), or as they were read
-- states_of(record, places, group, is_committed)   an unused number, and the states at these places, packed
-- change(record)           what was done to its numbers is to be written
-- write_records()          writes those, each once
--
-- A use has here: `id`; `life` in ms; and `entry`, as in a value.
local FORMAT, HEAD, ENTRY = 1, 3, 13
local byte, sub, write, read, unpack = string.byte, string.sub, struct.pack, struct.unpack, unpack
local records, layouts = {}, {}
local changed, changed_count = {}, 0

-- What is the same for all records of the same counters.
local function layout_of(entries)
  local head = struct.pack('<BI2', FORMAT, #entries) .. table.concat(entries)
  if layouts[head] then
    return layouts[head]
  end
  local layout = { head = head, entries = entries, places = {}, groups = {}, spots = {}, sizes = {}, lives = {} }
  local size, longest = 1, 0
  for i, entry in ipairs(entries) do
    local life, of_state = struct.unpack('<I4B', entry, 9)
    layout.places[entry], layout.spots[i], layout.sizes[i], layout.lives[i] = size + 1, size + 1, of_state, life * 1000
    size, longest = size + of_state, max(longest, life * 1000)
  end
  layout.size, layout.numbers = size, '<' .. string.rep('d', size)
  layout.start, layout.offset = #head + 1, format('%d', #head)
  layout.length = #head + 8 * size
  -- No expiry is later, unless a clock was wrong.
  layout.last = horizon(longest * 1000) / 1000
  layouts[head] = layout
  return layout
end

-- Nil where the value is no record.
local function layout_in(value)
  local kind, low, high = byte(value, 1, HEAD)
  if kind ~= FORMAT or not high then
    return nil
  end
  local count = low + 256 * high
  local layout = layouts[sub(value, 1, HEAD + count * ENTRY)]
  if not layout then
    if #value < HEAD + count * (ENTRY + 8) then
      return nil
    end
    local entries = {}
    for i = 1, count do
      entries[i] = sub(value, HEAD + 1 + (i - 1) * ENTRY, HEAD + i * ENTRY)
      local size = byte(entries[i], ENTRY)
      if size ~= 2 and size ~= 3 then
        return nil
      end
    end
    layout = layout_of(entries)
  end
  return #value == layout.length and layout or nil
end

local NONE = layout_of({})

local function record_at(key)
  local record = records[key]
  if record then
    return record
  end
  local value = values[key]
  local layout = value and layout_in(value)
  if layout then
    -- The fields are made with the table: to add them later costs as much as reading the numbers.
    record = { key = key, layout = layout, whole = false, packed = false, read(layout.numbers, value, layout.start) }
    -- The expiry is set anew.
    record.whole = record[1] > layout.last
  else
    record = { key = key, layout = NONE, whole = true, packed = false, 0 }
  end
  records[key] = record
  return record
end

local function packed(record)
  local layout = record.layout
  return write(layout.numbers, unpack(record, 1, layout.size))
end

local function add(record, group)
  local layout = record.layout
  local entries, numbers, states = {}, { record[1] }, {}
  for i, entry in ipairs(layout.entries) do
    states[sub(entry, 1, 8)] = { unpack(record, layout.spots[i], layout.spots[i] + layout.sizes[i] - 1) }
  end
  local function append(entry, state)
    entries[#entries + 1] = entry
    for i = 1, byte(entry, ENTRY) do
      numbers[#numbers + 1] = state and state[i] or 0
    end
  end
  for _, use in ipairs(group) do
    append(use.entry, states[use.id])
    states[use.id] = nil
  end
  for i, entry in ipairs(layout.entries) do
    local state, life = states[sub(entry, 1, 8)], layout.lives[i] * 1000
    if state and state[1] + life > now and not is_beyond(state[1], life) then
      append(entry, state)
    end
  end
  record.layout, record.whole = layout_of(entries), true
  for i, number in ipairs(numbers) do
    record[i] = number
  end
  -- What earlier checks of this call have charged is among the numbers, whose places have moved.
  record.before = packed(record)
  record.packed = record.packed and record.before
end

local function places_in(record, group)
  local known = record.layout.groups[group]
  if known then
    return known
  end
  for _, use in ipairs(group) do
    if not record.layout.places[use.entry] then
      add(record, group)
    end
  end
  local layout = record.layout
  local places = { exact = #group == #layout.entries }
  for i, use in ipairs(group) do
    places[i] = layout.places[use.entry]
    places.exact = places.exact and places[i] == layout.spots[i]
  end
  layout.groups[group] = places
  return places
end

local function find(record, use)
  for i, entry in ipairs(record.layout.entries) do
    local spot = record.layout.spots[i]
    if sub(entry, 1, 8) == use.id and record[spot] > 0 then
      return spot
    end
  end
end

local function committed(record)
  local numbers = record.packed or record.before
  if numbers then
    return { read(record.layout.numbers, numbers) }
  end
  return { read(record.layout.numbers, values[record.key], record.layout.start) }
end

local function states_of(record, places, group, is_committed)
  if places.exact then
    return is_committed and record.packed or packed(record)
  end
  local numbers = { record[1] }
  for i, place in ipairs(places) do
    for at = place, place + group[i].size - 1 do
      numbers[#numbers + 1] = record[at]
    end
  end
  return pack(numbers, #numbers)
end

local function change(record)
  if not record.packed then
    changed_count = changed_count + 1
    changed[changed_count] = record
  end
  local layout = record.layout
  record.packed = write(layout.numbers, unpack(record, 1, layout.size))
end

local function write_whole(record)
  local layout, expires_at = record.layout, 0
  for i, life in ipairs(layout.lives) do
    expires_at = max(expires_at, record[layout.spots[i]] / 1000 + life)
  end
  -- A time of a counter that this check does not use may never have been one.
  expires_at = min(expires_at, layout.last)
  record[1] = ceil(expires_at)
  local left = max(1, ceil(expires_at - now / 1000))
  call('SET', record.key, layout.head .. packed(record), 'PX', format('%.0f', left))
end

local function write_records()
  for i = 1, changed_count do
    local record = changed[i]
    if record.whole then
      write_whole(record)
    else
      call('SETRANGE', record.key, record.layout.offset, record.packed)
    end
  end
end
