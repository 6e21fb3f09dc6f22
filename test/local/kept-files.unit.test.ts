import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepDatabaseUrl, readDatabaseUrl } from '../../src/local/kept-files.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-url-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('commands find the database of a running `start`, its owner alone can, and nobody once it has ended', async () => {
  expect(await readDatabaseUrl(folder)).toBeUndefined();
  const forget = await keepDatabaseUrl(folder, 'postgresql://postgres:secret@127.0.0.1:5433/tidings');
  expect(await readDatabaseUrl(folder)).toBe('postgresql://postgres:secret@127.0.0.1:5433/tidings');
  expect((await stat(path.join(folder, 'database-url'))).mode & 0o777).toBe(0o600);
  await forget();
  expect(await readDatabaseUrl(folder)).toBeUndefined();
});
