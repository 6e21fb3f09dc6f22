-- Token bucket: each elapsed refill interval adds `rate` tokens, up to `limit`. A
-- part of the scripts that `scripts.ts` composes.
--
-- Key      string "<tokens> <last refill>"; lives for `life` ms after each charge
-- read     (key, use) -> wait, in use, reset at, tokens, last refill
-- charge   (key, use, tokens, last refill) -> in use, reset at
-- refund   (key, use, charge): up to full
--
-- Times are in microseconds; `window` is the refill interval. `wait` is 0 where the charge fits, -1 where it never
-- will. A full bucket's next interval begins with its next charge: so a bucket whose key has expired, and one that
-- was never used, are no different from a full one.
-- Nil where the value is no such text: it counts as absent.
local function parse(value)
  local tokens, at = string.match(value, '^(%d+) (%d+)$')
  return tonumber(tokens), tonumber(at)
end

local function refilled_at(at, missing, use)
  return at + ceil(missing / use.rate) * use.window
end

algorithms[4] = {
  read = function(key, use)
    local limit, interval, charge = use.limit, use.window, use.charge
    local tokens, at = limit, now
    local value = values[key]
    if value then
      local kept, last = parse(value)
      if kept and not is_beyond(last, refilled_at(0, limit, use)) then
        local intervals = floor(max(0, now - last) / interval)
        tokens = min(limit, kept + intervals * use.rate)
        if tokens == limit then
          at = max(now, last)
        else
          at = last + intervals * interval
        end
      end
    end
    local wait = 0
    if charge > limit then
      wait = -1
    elseif charge > tokens then
      wait = refilled_at(at, charge - tokens, use) - now
    end
    return wait, 2 * (limit - tokens), refilled_at(at, limit - tokens, use), tokens, at
  end,

  charge = function(key, use, tokens, at)
    local left = tokens - use.charge
    put(key, format('%.0f %.0f', left, at), 'PX', use.life)
    return 2 * (use.limit - left), refilled_at(at, use.limit - left, use)
  end,

  refund = function(key, use, charge)
    local value = held(key)
    if not value then
      return
    end
    local tokens, at = parse(value)
    if not tokens then
      return
    end
    call('SET', key, format('%.0f %.0f', min(use.limit, tokens + charge), at), 'KEEPTTL')
  end,
}
