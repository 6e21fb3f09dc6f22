import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const checkout = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-migration-'));
  await mkdir(path.join(folder, 'prisma/migrations'), { recursive: true });
  await mkdir(path.join(folder, 'scripts'));
  await symlink(path.join(checkout, 'src'), path.join(folder, 'src'));
  await copyFile(
    path.join(checkout, 'scripts/new-migration.mjs'),
    path.join(folder, 'scripts/new-migration.mjs'),
  );
  for (const schema of ['schema.prisma', 'migrations/last-schema.prisma']) {
    await copyFile(path.join(checkout, 'prisma/schema.prisma'), path.join(folder, 'prisma', schema));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs the script in a folder whose schema has no changes; resolves with its exit code and what it says. */
const migration = (...args: string[]) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    const script = path.join(folder, 'scripts/new-migration.mjs');
    execFile(process.execPath, [script, ...args], (error, _, said) =>
      resolve({ code: error?.code ?? 0, said }),
    );
  });

it('writes no empty migration unless it is asked for one', async () => {
  expect(await migration('nothing')).toMatchObject({ code: 1, said: expect.stringContaining('--empty') });
  expect(await migration('nothing', '--emty')).toMatchObject({ code: 1 });
  expect(await readdir(path.join(folder, 'prisma/migrations'))).toEqual(['last-schema.prisma']);
  expect(await migration('by_hand', '--empty')).toMatchObject({ code: 0 });
  expect(await readdir(path.join(folder, 'prisma/migrations'))).toEqual([
    expect.stringMatching(/^\d{14}_by_hand$/),
    'last-schema.prisma',
  ]);
});
