-- What a text says of uses. A part of the scripts that `scripts.ts` composes.
--
-- uses_of(text) -> the uses that a JSON list of numbers describes, seven each: algorithm, limit, rate, window, life in
--       ms, shadow (1 or 0), charge. Windows are in microseconds. Of a token bucket rate and window are what a refill
--       adds and its interval; elsewhere the rate is what a window admits, or drains. `life` and `charge_text` are
--       strings: Redis takes a string as it is, and prints a number with seventeen digits first.
local function uses_of(text)
  local numbers, uses = cjson.decode(text), {}
  for i = 1, #numbers, 7 do
    local algorithm = algorithms[numbers[i]]
    uses[#uses + 1] = {
      read = algorithm.read,
      charged = algorithm.charge,
      refund = algorithm.refund,
      limit = numbers[i + 1],
      rate = numbers[i + 2],
      window = numbers[i + 3],
      life = format('%.0f', numbers[i + 4]),
      shadow = numbers[i + 5] == 1,
      charge = numbers[i + 6],
      charge_text = format('%.0f', numbers[i + 6]),
    }
  end
  return uses
end
