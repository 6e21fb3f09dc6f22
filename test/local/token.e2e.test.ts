import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepAuthSecret } from '../../src/local/kept-files.js';

const run = promisify(execFile);
const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-token-'));
});
afterAll(() => rm(folder, { recursive: true }));

function printToken(user = 'alice', ...more: string[]): Promise<{ stdout: string }> {
  const env = { PATH: process.env.PATH, TIDINGS_DATA: folder };
  return run(process.execPath, [main, 'token', '--user', user, ...more], { env });
}

test('a token is signed with the secret of the `start` in its folder, and never with one that no api knows', async () => {
  await expect(printToken()).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: `AUTH_SECRET is missing, and no \`start\` has run on ${folder}\n`,
  });
  expect(await readdir(folder)).toEqual([]);

  await keepAuthSecret(folder);
  expect((await printToken()).stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
});

test('no token is signed that every api would refuse', async () => {
  const message =
    'A user is 1 to 64 visible characters, without spaces, and not feed, commerce or notifications\n';
  for (const user of ['feed', 'a b', 'x'.repeat(65)])
    await expect(printToken(user)).rejects.toMatchObject({ code: 1, stdout: '', stderr: message });
  await expect(printToken('alice', '--expires-in', '400000000')).rejects.toMatchObject({
    stderr: 'A token is good for ten years at most\n',
  });
});
