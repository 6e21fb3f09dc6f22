-- Begins a pass over a queue where a repair is due and no other process is at it.
-- KEYS[1] the queue's `meta` key: all keys of a queue lie in one slot; KEYS[2] a key that never exists (queue-repair-pass.ts says why)
-- ARGV[1] what all keys of the queue begin with, the colon included
-- ARGV[2] whose lease it becomes; ARGV[3] for how many milliseconds
-- Answers { 'begun', the note that a repair is due }, { 'elsewhere' } or { 'in repair' }.
local due = redis.call('GET', ARGV[1] .. 'repair-due')
if not due then return { 'in repair' } end
if not redis.call('SET', ARGV[1] .. 'repair-lease', ARGV[2], 'PX', ARGV[3], 'NX') then return { 'elsewhere' } end
return { 'begun', due }
