-- One check: its uses, and what is answered of it. A part of the scripts that `scripts.ts` composes, after uses.lua.
--
-- look(uses, keys, place, charges)   looks at the uses of a check whose keys begin after `keys` in KEYS, and whose uses begin after
--          `place` among all. Where `charges`, it charges all of them, or none
-- answers()   what is answered of all checks that were looked at, as one string of little-endian doubles
--
-- Answers  the time in microseconds; then for each check: how many uses were looked at, and minus that where it is refused; how
--          many of these do not fit; for each key an unused number and for each of its uses the state after the check, brought up
--          to now; for each use that does not fit its place in the check, from 0, and how long until it does (ms; -1 never). The
--          state of a log is here: what is in use, when it resets (microseconds), and 1 where its name was found, so that nothing
--          was charged. The states of uses that were not looked at mean nothing.
--
-- A check looks at its uses in order: all of them, or where it charges, up to and with the first that does not fit, is no shadow
-- and has no name. Where any but a shadow does not fit, nothing is charged. A shadow that does not fit is not charged. One
-- check must not name a counter twice.
local parts, part_count, FITS = { struct.pack('<d', now) }, 1, {}
-- Of the check that is looked at: by its keys; and by its uses.
local at, places = {}, {}
local waits, logs = {}, {}

local function emit(part)
  part_count = part_count + 1
  parts[part_count] = part
end

local function charge_logs(uses, keys, place)
  for key, i in pairs(uses.logs) do
    local use, log = uses[i], logs[i]
    if waits[i] == 0 then
      log[2], log[3], log.is_found = use.charged(KEYS[keys + key], use, log[4], log[5], log[6], place + i)
    end
  end
end

local function answer(uses, looked_at, is_kept)
  for key = 1, #uses.groups do
    if uses.groups[key] then
      emit(states_of(at[key], places[key], uses.groups[key], is_kept))
    else
      local log = uses.logs[key] <= looked_at and logs[uses.logs[key]] or { 0, 0, 0 }
      emit(struct.pack('<dddd', 0, log[2], log[3], log.is_found and 1 or 0))
    end
  end
end

-- Notes the records in which anything was charged.
local function keep(uses)
  for key = 1, #uses.groups do
    for _, use in ipairs(uses.groups[key] or {}) do
      if waits[use.place] == 0 then
        change(at[key])
        break
      end
    end
  end
end

-- Records are charged while they are looked at: what was not to be is undone once it is answered.
local function undo(uses, looked_at, is_all)
  for key = 1, #uses.groups do
    local group = uses.groups[key]
    local numbers = group and committed(at[key])
    for nth, use in ipairs(group or {}) do
      if is_all or use.place > looked_at or waits[use.place] ~= 0 then
        local spot = places[key][nth]
        for i = spot, spot + use.size - 1 do
          at[key][i] = numbers[i]
        end
      end
    end
  end
end

-- Brings the states up to now again, without the charges.
local function take_back(uses, looked_at)
  undo(uses, looked_at, true)
  for i = 1, looked_at do
    local use = uses[i]
    if use.take then
      use.units = 0
      use.take(use, at[use.key], places[use.key][use.nth])
      use.units = use.charge
    end
  end
end

-- See current-windows.lua.
local function charged_at_once(uses, groups)
  for key = 1, #groups do
    if not fit_current(groups[key], at[key], places[key]) then
      return false
    end
  end
  emit(uses.fits)
  for key = 1, #groups do
    charge_current(groups[key], at[key], places[key])
    change(at[key])
    emit(places[key].exact and at[key].packed or states_of(at[key], places[key], groups[key]))
  end
  return true
end

local function look(uses, keys, place, charges)
  local groups = uses.groups
  for key = 1, #groups do
    local group = groups[key]
    if group then
      local record = record_at(KEYS[keys + key])
      at[key], places[key] = record, record.layout.groups[group] or places_in(record, group)
    end
  end
  if uses.are_windows and charged_at_once(uses, groups) then
    return
  end
  local looked_at, is_refused, unfit = #uses, false, FITS
  for i = 1, looked_at do
    local use, wait = uses[i], nil
    local key, take = use.key, use.take
    if take then
      local record, spot = at[key], places[key][use.nth]
      local time = record[spot]
      wait = take(use, record, spot)
      if record[spot] ~= time and record[spot] / 1000 + use.life > record[1] then
        record.whole = true
      end
    else
      logs[i] = { use.read(KEYS[keys + key], use, place + i) }
      wait = logs[i][1]
    end
    waits[i] = wait
    if wait ~= 0 then
      unfit = unfit == FITS and {} or unfit
      unfit[#unfit + 1] = i - 1
      unfit[#unfit + 1] = wait > 0 and ceil(wait / 1000) or wait
      if not use.shadow then
        is_refused = true
        if charges and not names[place + i] then
          looked_at = i
          break
        end
      end
    end
  end
  if unfit == FITS then
    emit(uses.fits)
    if charges then
      if uses.has_logs then
        charge_logs(uses, keys, place)
      end
      for key = 1, #groups do
        if groups[key] then
          change(at[key])
        end
      end
    end
    answer(uses, looked_at, charges)
    return
  end
  local is_charging = charges and not is_refused
  if is_charging then
    charge_logs(uses, keys, place)
  elseif charges then
    take_back(uses, looked_at)
  end
  emit(struct.pack('<dd', is_refused and -looked_at or looked_at, #unfit / 2))
  answer(uses, looked_at, false)
  emit(pack(unfit, #unfit))
  undo(uses, looked_at, not is_charging)
  if is_charging then
    keep(uses)
  end
end

local function answers()
  return table.concat(parts)
end
