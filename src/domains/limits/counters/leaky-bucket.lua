-- Leaky bucket: the level drains by `rate` in each window, continuously. A part of the
-- scripts that `scripts.ts` composes.
--
-- Key      string "<level> <as of>"; lives for `life` ms after each charge
-- read     (key, use) -> wait, in use, reset at, level, as of
-- charge   (key, use, level, as of) -> in use, reset at
-- refund   (key, use, charge): down to empty
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The level is kept in units
-- times the window's microseconds: then it drains by `rate` each microsecond, in whole numbers. A unit that has begun to
-- drain is in use until it has: what is charged never lifts the level above the limit.
-- Nil where the value is no such text: it counts as absent.
local function parse(value)
  local level, at = string.match(value, '^(%d+) (%d+)$')
  return tonumber(level), tonumber(at)
end

local function reading(level, at, use)
  return 2 * ceil(level / use.window), at + ceil(level / use.rate)
end

algorithms[5] = {
  read = function(key, use)
    local limit, window, charge = use.limit, use.window, use.charge
    local level, at = 0, now
    local value = values[key]
    if value then
      local kept, last = parse(value)
      if kept and not is_beyond(last, window) then
        level = max(0, kept - use.rate * max(0, now - last))
        at = max(now, last)
      end
    end
    local above = level - (limit - charge) * window
    local wait = 0
    if charge > limit then
      wait = -1
    elseif above > 0 then
      wait = at + ceil(above / use.rate) - now
    end
    local in_use, reset_at = reading(level, at, use)
    return wait, in_use, reset_at, level, at
  end,

  charge = function(key, use, level, at)
    local filled = level + use.charge * use.window
    put(key, format('%.0f %.0f', filled, at), 'PX', use.life)
    return reading(filled, at, use)
  end,

  refund = function(key, use, charge)
    local value = held(key)
    if not value then
      return
    end
    local level, at = parse(value)
    if not level then
      return
    end
    call('SET', key, format('%.0f %.0f', max(0, level - charge * use.window), at), 'KEEPTTL')
  end,
}
