-- Sliding window log: a timestamp for each unit. A part of the scripts that `scripts.ts` composes.
--
-- Key      sorted set of one member a unit, scored by its time; lives for `life` ms after each charge
-- read     (key, use, place of the key) -> wait, in use, reset at, count, oldest entry's time or nil, `found`
-- charged  (key, use, count, oldest, `found`, place of the key) -> in use, reset at, whether the name was found
-- refunded (key, use, mark): removes that many units of the charge whose first member is `mark`
--
-- Times are in microseconds. `wait` is 0 where the charge fits, -1 where it never will. The first member, the charge's
-- mark, is the use's name, else the call's name, a colon and the place of the key; then come `<mark>:2`, `<mark>:3` and so
-- on. What is a full window old is out; reading leaves it where it lies. `found` is 'name' where the use's name is in the
-- window: it fits, and is not charged again; else 'outdated' where entries are to be removed. Where a use has a name, `oldest`
-- is now, since looking it up takes a call: the reset is a whole window away then.
local function member(mark, unit)
  return unit == 1 and mark or mark .. ':' .. unit
end

-- What is the same for every key of a use: the time and the bounds of its window, as texts.
local function bounded(use)
  use.out, use.last = format('%.0f', now - use.window), format('%.0f', horizon(use.window))
  use.after, use.beyond = '(' .. use.out, '(' .. use.last
  use.now = format('%.0f', now)
end

-- The time of the nth entry (from 0) that is still in the window.
local function entry(key, use, nth)
  local found = call('ZRANGEBYSCORE', key, use.after, use.last, 'WITHSCORES', 'LIMIT', nth, 1)
  return tonumber(found[2])
end

local function has(key, use, name)
  local at = tonumber(call('ZSCORE', key, name))
  return at and at > now - use.window and not is_beyond(at, use.window)
end

algorithms[2] = {
  read = function(key, use, place)
    if not use.after then
      bounded(use)
    end
    local limit, window, charge = use.limit, use.window, use.charge
    local size = redis.pcall('ZCARD', key)
    if type(size) == 'table' then
      -- A key of another type counts as absent.
      call('DEL', key)
      size = 0
    end
    local count, oldest, found, wait = 0, nil, nil, 0
    if size > 0 then
      count = call('ZCOUNT', key, use.after, use.last)
      found = size > count and 'outdated'
    end
    local name = names[place]
    if count > 0 and name then
      oldest, found = now, has(key, use, name) and 'name' or found
    elseif count > 0 then
      oldest = entry(key, use, 0)
    end
    if charge > limit then
      wait = -1
    elseif found ~= 'name' and count + charge > limit then
      wait = entry(key, use, count + charge - limit - 1) + window - now
    end
    return wait, count, oldest and oldest + window or now, count, oldest, found
  end,

  charged = function(key, use, count, oldest, found, place)
    local charge, window = use.charge, use.window
    if found == 'name' then
      return count, oldest + window, true
    end
    if found == 'outdated' then
      call('ZREMRANGEBYSCORE', key, '-inf', use.out)
      call('ZREMRANGEBYSCORE', key, use.beyond, '+inf')
    end
    local mark = names[place] or ARGV[2] .. ':' .. place
    for first = 1, charge, AT_ONCE do
      local entries = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        entries[#entries + 1] = use.now
        entries[#entries + 1] = member(mark, unit)
      end
      call('ZADD', key, unpack(entries))
    end
    call('PEXPIRE', key, format('%.0f', use.life))
    local used = count + charge
    return used, min(oldest or now, now) + window
  end,

  refunded = function(key, use, mark)
    local charge = use.charge
    for first = 1, charge, AT_ONCE do
      local members = {}
      for unit = first, min(charge, first + AT_ONCE - 1) do
        members[#members + 1] = member(mark, unit)
      end
      redis.pcall('ZREM', key, unpack(members))
    end
  end,
}
