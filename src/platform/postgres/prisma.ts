import type { PrismaClient } from '../generated/prisma/client.js';
import type { Postgres } from './postgres.js';

export type Prisma = ReturnType<typeof openPrisma>;

/**
 * Prisma on the process's own pool, for reads and writes that are not hot; hot paths speak SQL through `postgres`. It is loaded
 * when it is first asked for: most processes never do.
 */
export function openPrisma(postgres: Postgres) {
  let opening: Promise<PrismaClient> | undefined;

  async function open(): Promise<PrismaClient> {
    const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
      import('@prisma/adapter-pg'),
      import('../generated/prisma/client.js'),
    ]);
    return new PrismaClient({ adapter: new PrismaPg(postgres.pool) });
  }

  return {
    client(): Promise<PrismaClient> {
      // Where it could not be loaded (no file handle was left, say) the next call tries again.
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    /** At once where it was never asked for. */
    async disconnect(): Promise<void> {
      if (opening) await (await opening).$disconnect();
    },
  };
}
