#!/usr/bin/env node
// Stands where Prisma's command line expects its schema engine, so that it downloads nothing.
// Only `prisma migrate` and `prisma db` call it; `generate` and `validate` merely want it to be there.

const say = (line) => process.stderr.write(`${line}\n`);
say('The schema engine is not used here: run `npx tidings migrate` or `npm run db:migration -- NAME`.');
process.exit(1);
