import type { PrismaClient } from './generated/prisma/client.js';
import type { Postgres } from './postgres.js';

/** Prisma, which is loaded when it is first asked for: most processes never do. */
export interface Prisma {
  client(): Promise<PrismaClient>;
  /** At once where it was never asked for. */
  disconnect(): Promise<void>;
}

/** Prisma on the process's own pool, for reads and writes that are not hot; hot paths speak SQL through `postgres`. */
export function openPrisma(postgres: Postgres): Prisma {
  let opening: Promise<PrismaClient> | undefined;

  async function open(): Promise<PrismaClient> {
    const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
      import('@prisma/adapter-pg'),
      import('./generated/prisma/client.js'),
    ]);
    return new PrismaClient({ adapter: new PrismaPg(postgres.pool) });
  }

  return {
    client() {
      // Where it could not be loaded (no file handle was left, say) the next call tries again.
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    async disconnect() {
      if (opening) await (await opening).$disconnect();
    },
  };
}
