-- Sliding window log: a timestamp for each unit. A part of the scripts that
-- `scripts.ts` composes.
--
-- Key      sorted set of one member a unit, scored by its time; lives for `life` ms after each charge
-- read     (key, use) -> wait, in use, reset at, count, oldest entry's time or nil
-- charge   (key, use, count, oldest, nil, place of the key) -> in use, reset at
-- refund   (key, use, charge, mark): removes that many units of the charge whose first member is `mark`
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The first member, the charge's
-- mark, is the call's name, a colon and the place of the key; then come `<mark>:2`, `<mark>:3` and so on. What is a
-- full window old is out; reading leaves it where it lies.
local function member(mark, unit)
  return unit == 1 and mark or mark .. ':' .. unit
end

-- The time of the nth entry (from 0) that is still in the window.
local function entry(key, after, before, nth)
  local found = call('ZRANGEBYSCORE', key, after, before, 'WITHSCORES', 'LIMIT', nth, 1)
  return tonumber(found[2])
end

algorithms[2] = {
  read = function(key, use)
    local limit, window, charge = use.limit, use.window, use.charge
    local after = format('(%.0f', now - window)
    local before = format('%.0f', horizon(window))
    local count = redis.pcall('ZCOUNT', key, after, before)
    if type(count) == 'table' then
      -- A key of another type counts as absent.
      call('DEL', key)
      count = 0
    end
    local oldest, wait = nil, 0
    if count > 0 then
      oldest = entry(key, after, before, 0)
    end
    if charge > limit then
      wait = -1
    elseif count + charge > limit then
      wait = entry(key, after, before, count + charge - limit - 1) + window - now
    end
    return wait, 2 * count, oldest and oldest + window or now, count, oldest
  end,

  charge = function(key, use, count, oldest, _, place)
    local charge, window, mark = use.charge, use.window, ARGV[2] .. ':' .. place
    call('ZREMRANGEBYSCORE', key, '-inf', now - window)
    call('ZREMRANGEBYSCORE', key, format('(%.0f', horizon(window)), '+inf')
    for first = 1, charge, AT_ONCE do
      local entries = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        entries[#entries + 1] = now
        entries[#entries + 1] = member(mark, unit)
      end
      call('ZADD', key, unpack(entries))
    end
    call('PEXPIRE', key, use.life)
    local used = count + charge
    return 2 * used, min(oldest or now, now) + window
  end,

  refund = function(key, _, charge, mark)
    for first = 1, charge, AT_ONCE do
      local members = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        members[#members + 1] = member(mark, unit)
      end
      redis.pcall('ZREM', key, unpack(members))
    end
  end,
}
