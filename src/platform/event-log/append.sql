-- name: appendCommands
-- One batch; see prisma/functions/append_commands_in.sql for every argument and outcome.
-- type: result = import('./types.js').JsonObject
SELECT outcome, result
FROM append_commands_in($1::text, $2::text[], $3::bytea[], $4::jsonb[], $5::jsonb[], $6::text[], $7::jsonb[],
  $8::text[], $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::text[], $15::jsonb[])

-- name: appendCommand
-- A command of one stream that comes alone; see prisma/functions/append_command.sql.
-- type: result = import('./types.js').JsonObject
SELECT outcome, result
FROM append_command($1::text, $2::text, $3::bytea, $4::jsonb, $5::jsonb, $6::text, $7::int, $8::text[], $9::jsonb[])
