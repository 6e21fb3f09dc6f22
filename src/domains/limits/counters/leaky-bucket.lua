-- Leaky bucket: the level drains by `rate` in each window, continuously. A part of the scripts that `scripts.ts` composes.
--
-- State    as of when, the level
-- take     (use, record, at) -> wait: brings the state at this place up to now, and charges it if that fits
-- refunded (use, record, at, mark) -> true: down to empty
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The level is kept in units
-- times the window's microseconds: then it drains by `rate` each microsecond, in whole numbers. A unit that has begun to
-- drain is in use until it has: what is charged never lifts the level above the limit. A level from 2^53 on, of more than
-- 104,249 units a day, is rounded, by less than a millionth of a unit.
local MOST_UNITS, WHOLE = 2 ^ 31, 2 ^ 53

-- How far rounding may lift a level that is as high as its limit.
local function rounding(full)
  return full < WHOLE and 0 or full * 2 ^ -50
end

algorithms[5] = {
  size = 2,

  take = function(use, record, at)
    local limit, window, charge = use.limit, use.window, use.charge
    local last, level, as_of = record[at], 0, now
    -- A level above that of any limit never was one, and would never drain.
    if record[at + 1] < MOST_UNITS * window and not is_beyond(last, window) then
      level = max(0, record[at + 1] - use.rate * max(0, now - last))
      as_of = max(now, last)
    end
    record[at], record[at + 1] = as_of, level
    local above = level - (limit - charge) * window
    if charge > limit then
      return -1
    elseif above > rounding(limit * window) then
      return as_of + ceil(above / use.rate) - now
    end
    record[at + 1] = level + use.units * window
    return 0
  end,

  refunded = function(use, record, at)
    record[at + 1] = max(0, record[at + 1] - use.charge * use.window)
    return true
  end,
}
