import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client.js';
import type { Postgres } from './postgres.js';

export type { PrismaClient } from './generated/prisma/client.js';

/** Prisma on the process's own pool, for reads and writes that are not hot; hot paths speak SQL through `postgres`. */
export function openPrisma(postgres: Postgres): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(postgres.pool) });
}
