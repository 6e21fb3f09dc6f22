import { expect, it, vi } from 'vitest';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { openPrisma } from '../../src/platform/postgres/prisma.js';

const loading = vi.hoisted(() => ({ fails: true }));
vi.mock('@prisma/adapter-pg', () => ({
  PrismaPg: class {
    constructor() {
      if (loading.fails) throw new Error('EMFILE: too many open files');
    }
  },
}));
vi.mock('../../src/platform/generated/prisma/client.js', () => ({ PrismaClient: class {} }));

it('Prisma that could not be loaded once is loaded by the next who asks, for all who follow', async () => {
  const prisma = openPrisma({ pool: {} } as Postgres);
  await expect(prisma.client()).rejects.toThrow('EMFILE');
  loading.fails = false;
  const client = await prisma.client();
  expect(await prisma.client()).toBe(client);
});
