-- name: appendCommands
-- One batch; see prisma/functions/append_commands_in.sql for every argument ($15 is its first) and outcome.
-- type: result = import('./types.js').JsonObject
SELECT outcome, result
FROM append_commands_in($15::text, $1::text[], $2::bytea[], $3::jsonb[], $4::jsonb[], $5::text[], $6::jsonb[],
  $7::text[], $8::int[], $9::int[], $10::int[], $11::int[], $12::int[], $13::text[], $14::jsonb[])
