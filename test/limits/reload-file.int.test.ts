import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TookTooLong } from '../../src/domains/limits/rules/rules.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import {
  bad,
  createFolder,
  createProcesses,
  good,
  measured,
  NOWHERE,
  readHere,
  type TestProcess,
  until,
} from './reload-world.js';

let database: TestDatabase;
let redis: TestRedis;
let folder: Awaited<ReturnType<typeof createFolder>>;
const processes = createProcesses();

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterAll(async () => {
  await redis.stop();
  await database.drop();
});
beforeEach(async () => {
  folder = await createFolder();
});
afterEach(async () => {
  await processes.stopAll();
  await folder.remove();
});

const start = (source: string, options: { pollMs?: number } = {}): Promise<TestProcess> =>
  processes.start({ source, postgresUrl: database.url, redisUrl: redis.url, earUrl: NOWHERE, ...options });

async function startWith(document: string, options?: { pollMs: number }) {
  const file = folder.at('rules.yaml');
  await writeFile(file, document);
  return { file, process: await start(file, options) };
}

/** In one step: nobody ever reads half of it. */
async function replace(file: string, document: string): Promise<void> {
  await writeFile(`${file}.new`, document);
  await rename(`${file}.new`, file);
}

const inForce = (process: TestProcess, domain: string): Promise<void> =>
  until(() => {
    expect(process.keeper.current().domain).toBe(domain);
    expect(process.keeper.ruleSet().lastError).toBeNull();
  });

describe('at the start', () => {
  it('the rules of the file are in force, and say where they are from', async () => {
    const { file, process } = await startWith(good('first'));
    expect(process.keeper.ruleSet()).toEqual({
      domain: 'first',
      version: process.keeper.current().version,
      source: file,
      document: good('first'),
      loadedAt: expect.any(Date),
      lastError: null,
      warnings: [],
    });
    expect(await measured(process)).toEqual({ ok: 1, rejected: 0, unreachable: 0, stale: 0 });
  });

  it('a faulty file is named with line and column, and nothing starts', async () => {
    const file = folder.at('rules.yaml');
    await writeFile(file, bad('first'));
    await expect(start(file)).rejects.toThrow(StartError);
    await expect(start(file)).rejects.toThrow(new RegExp(`${file}: line 4, column \\d+: `));
  });

  it.each([
    ['missing', async () => undefined, /rules\.yaml.*ENOENT/],
    ['a folder', (file: string) => mkdir(file), /rules\.yaml.*not a file/],
    ['no UTF-8', (file: string) => writeFile(file, Buffer.from([0x64, 0xfc])), /rules\.yaml.*UTF-8/],
    ['too large', (file: string) => writeFile(file, 'x'.repeat(256 * 1024 + 1)), /rules\.yaml.*256 KiB/],
  ])('a file that is %s is reported as such', async (_, make, message) => {
    await make(folder.at('rules.yaml'));
    await expect(start(folder.at('rules.yaml'))).rejects.toThrow(message);
  });

  it('an address that is none is reported as such', async () => {
    await expect(start('http://')).rejects.toThrow(StartError);
  });
});

describe('a file that changes', () => {
  it('is in force as soon as it is written', async () => {
    const { file, process } = await startWith(good('first'));
    await writeFile(file, good('second'));
    await inForce(process, 'second');
  });

  it('is in force when another was renamed over it, again and again', async () => {
    const { file, process } = await startWith(good('first'));
    for (const domain of ['second', 'third', 'fourth']) {
      await replace(file, good(domain));
      await inForce(process, domain);
    }
  });

  it('is in force when the folder that its symlink leads through is swapped, as Kubernetes does', async () => {
    for (const version of ['1', '2', '3']) {
      await mkdir(folder.at(`..v${version}`));
      await writeFile(folder.at(`..v${version}/rules.yaml`), good(`v${version}`));
    }
    await symlink('..v1', folder.at('..data'));
    await symlink('..data/rules.yaml', folder.at('rules.yaml'));
    const process = await start(folder.at('rules.yaml'));
    for (const version of ['2', '3']) {
      await symlink(`..v${version}`, folder.at('..data_tmp'));
      await rename(folder.at('..data_tmp'), folder.at('..data'));
      await rm(folder.at(`..v${Number(version) - 1}`), { recursive: true });
      await inForce(process, `v${version}`);
    }
  });

  it('is in force when it is a symlink and what it leads to, elsewhere, is written', async () => {
    await mkdir(folder.at('elsewhere'));
    await writeFile(folder.at('elsewhere/real.yaml'), good('first'));
    await symlink('elsewhere/real.yaml', folder.at('rules.yaml'));
    const process = await start(folder.at('rules.yaml'));
    await writeFile(folder.at('elsewhere/real.yaml'), good('second'));
    await inForce(process, 'second');
  });

  it('is in force in a folder where other files never come to rest', async () => {
    const { file, process } = await startWith(good('first'));
    await writeFile(file, good('second'));
    await until(async () => {
      await writeFile(folder.at('noise'), String(Math.random()));
      expect(process.keeper.current().domain).toBe('second');
    });
  });

  it('keeps the old rules in force while it is faulty, and says so', async () => {
    const { file, process } = await startWith(good('first'));
    const rules = process.keeper.current();
    await replace(file, bad('second'));
    await until(() =>
      expect(process.keeper.ruleSet().lastError).toMatch(/rules\.yaml: line 4, column \d+: /),
    );
    expect(process.keeper.current()).toBe(rules);
    await process.keeper.lookAgain();
    expect(await measured(process)).toMatchObject({ rejected: 1, stale: 1 });
    await replace(file, good('third'));
    await inForce(process, 'third');
    expect(await measured(process)).toEqual({ ok: 2, rejected: 1, unreachable: 0, stale: 0 });
  });

  it('that is put back as it was is no change, and no fault any more', async () => {
    const { file, process } = await startWith(good('first'));
    const rules = process.keeper.current();
    await writeFile(file, bad('second'));
    await until(() => expect(process.keeper.ruleSet().lastError).not.toBeNull());
    await writeFile(file, good('first'));
    await inForce(process, 'first');
    expect(process.keeper.current()).toBe(rules);
  });

  it('leaves its rules in force when it is removed, and is followed when it is back', async () => {
    const { file, process } = await startWith(good('first'));
    await rm(file);
    await until(() =>
      expect(process.keeper.ruleSet().lastError).toMatch(/rules\.yaml cannot be read: ENOENT/),
    );
    expect(process.keeper.current().domain).toBe('first');
    expect(await measured(process)).toMatchObject({ ok: 1, stale: 1 });
    await writeFile(file, good('first'));
    await inForce(process, 'first');
    await writeFile(file, good('second'));
    await inForce(process, 'second');
  });

  it('is found by polling when its whole folder was replaced', async () => {
    await mkdir(folder.at('config'));
    await writeFile(folder.at('config/rules.yaml'), good('first'));
    const process = await start(folder.at('config/rules.yaml'), { pollMs: 50 });
    await rename(folder.at('config'), folder.at('old'));
    await until(() => expect(process.keeper.ruleSet().lastError).not.toBeNull());
    await mkdir(folder.at('config'));
    await writeFile(folder.at('config/rules.yaml'), good('second'));
    await inForce(process, 'second');
  });
});

it.each([
  ['failed', new Error('no memory'), 'could not be checked'],
  ['took too long', new TookTooLong(5_000), 'took longer than 5 s to read'],
])('a document whose check %s is checked again at the next look', async (_, error, why) => {
  const file = folder.at('rules.yaml');
  await writeFile(file, good('first'));
  let broken = false;
  const process = await processes.start({
    source: file,
    postgresUrl: database.url,
    redisUrl: redis.url,
    earUrl: NOWHERE,
    read: (document) => (broken ? Promise.reject(error) : readHere(document)),
  });
  broken = true;
  await writeFile(file, good('second'));
  await process.keeper.lookAgain();
  expect(process.keeper.ruleSet()).toMatchObject({
    domain: 'first',
    lastError: `${file}: ${why}`,
  });
  broken = false;
  await process.keeper.lookAgain();
  expect(process.keeper.ruleSet()).toMatchObject({ domain: 'second', lastError: null });
});

it('the last error is shown until the new rules are in force', async () => {
  const file = folder.at('rules.yaml');
  await writeFile(file, good('first'));
  const toldWhileReading: (string | null | undefined)[] = [];
  const begun: { process?: TestProcess } = {};
  begun.process = await processes.start({
    source: file,
    postgresUrl: database.url,
    redisUrl: redis.url,
    earUrl: NOWHERE,
    read(document) {
      if (begun.process) toldWhileReading.push(begun.process.keeper.ruleSet().lastError);
      return readHere(document);
    },
  });
  await rm(file);
  await until(() => expect(begun.process?.keeper.ruleSet().lastError).toMatch(/ENOENT/));
  await replace(file, good('second'));
  await inForce(begun.process, 'second');
  expect(toldWhileReading).toEqual([expect.stringMatching(/ENOENT/)]);
});

describe('looking again', () => {
  it('finds a change, and does nothing where there is none', async () => {
    const { file, process } = await startWith(good('first'));
    const rules = process.keeper.current();
    await Promise.all([process.keeper.lookAgain(), process.keeper.lookAgain(), process.keeper.lookAgain()]);
    expect(process.keeper.current()).toBe(rules);
    expect(await measured(process)).toMatchObject({ ok: 1 });
    await writeFile(file, good('second'));
    await process.keeper.lookAgain();
    expect(process.keeper.current().domain).toBe('second');
  });

  it('does nothing any more once the keeper has closed', async () => {
    const { file, process } = await startWith(good('first'));
    await process.keeper.close();
    await writeFile(file, good('second'));
    await process.keeper.lookAgain();
    expect(process.keeper.current().domain).toBe('first');
  });
});
