-- Sliding window counter: this window's count and what is left of the one before. A part of the scripts that `scripts.ts`
-- composes.
--
-- State    when the window begins, its count, the count of the one before
-- take     (use, record, at) -> wait: brings the state at this place up to now, and charges it if that fits
-- refunded (use, record, at, mark) -> whether: only while the window numbered `mark` is current
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The estimate is
-- previous * (1 - elapsed / window) + current. It is reckoned in units times the window's microseconds: in whole
-- numbers, and compared so that the largest, which doubles no longer hold as whole numbers, are subtracted first.

-- How far into a window the weight of `previous` falls below `allowed`, which is above 0.
local function elapsed_until(previous, allowed, window)
  if previous < allowed then
    return 0
  end
  return window - ceil(allowed * window / previous) + 1
end

local function wait_until(begins, current, previous, allowed, window)
  if current < allowed then
    return begins + elapsed_until(previous, allowed - current, window) - now
  end
  return begins + window + elapsed_until(current, allowed, window) - now
end

algorithms[3] = {
  size = 3,

  take = function(use, record, at)
    local window, charge, begins = use.window, use.charge, record[at]
    -- What is no count is none.
    if not (record[at + 1] >= 0 and record[at + 2] >= 0) then
      record[at], record[at + 1], record[at + 2] = use.begins, 0, 0
    elseif not (begins >= use.begins) then
      local is_next = begins == use.begins - window
      record[at], record[at + 1], record[at + 2] = use.begins, 0, is_next and record[at + 1] or 0
    elseif begins > use.begins and is_beyond(begins, window) then
      record[at], record[at + 1], record[at + 2] = use.begins, 0, 0
    end
    local current, previous, allowed = record[at + 1], record[at + 2], use.limit - (charge - 1)
    -- Where the clock went back, the time is taken as the start of the window.
    local faded = previous * max(0, now - record[at])
    if charge > use.limit then
      return -1
    elseif (previous + current - allowed) * window >= faded then
      return wait_until(record[at], current, previous, allowed, window)
    end
    record[at + 1] = current + use.units
    return 0
  end,

  refunded = function(use, record, at, mark)
    local begins = record[at]
    if begins == tonumber(mark) * use.window and use.begins <= begins then
      record[at + 1] = max(0, record[at + 1] - use.charge)
      return true
    end
  end,
}
