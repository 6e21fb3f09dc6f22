-- Ends a pass over the queue. The note that a repair is due is removed where nothing was removed in this pass and nobody
-- noticed anything since it began; else it stays, and another pass may begin after a while.
-- ARGV[4] the note that stood when the pass began; empty where the pass removed something or failed
-- ARGV[5] for how many milliseconds no other pass begins
-- Answers 1 where the queue is in repair, else 0.
local due = prefix .. 'repair-due'
if ARGV[4] ~= '' and redis.call('GET', due) == ARGV[4] then
  redis.call('DEL', due, lease)
  return 1
end
redis.call('PEXPIRE', lease, ARGV[5])
redis.call('SET', due, ARGV[2], 'NX')
return 0
