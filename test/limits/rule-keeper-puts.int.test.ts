import { rm, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readRules, TookTooLong } from '../../src/domains/limits/rules/rules.js';
import { admin, bad, good, measured, NOWHERE, readHere, until } from './reload-world.js';
import { domainsOf, inForce, keeperWorld, put } from './rule-keeper-world.js';

const world = keeperWorld();

describe('a document that is put', () => {
  it('is in force at once here, and on every other process', async () => {
    const [one, other] = await Promise.all([world.start(), world.start()]);
    expect(await put(one, good('put'), admin('alice'))).toMatchObject({
      ok: true,
      value: { domain: 'put', source: 'put by alice', document: good('put'), lastError: null },
    });
    expect(one.keeper.current().domain).toBe('put');
    await inForce('put', other);
    expect(other.keeper.ruleSet()).toMatchObject({ source: 'put by alice', lastError: null });
  });

  it('is in force after a restart', async () => {
    const process = await world.start({ read: readRules });
    await put(process, good('put'));
    await process.stop();
    expect((await world.start({ read: readRules })).keeper.ruleSet()).toMatchObject({
      domain: 'put',
      source: 'put by admin',
    });
  });

  it('gives way to the configured source as soon as that changes, on every process and after restarts', async () => {
    const [one, other] = await Promise.all([world.start(), world.start()]);
    await put(one, good('put'));
    await inForce('put', one, other);
    await writeFile(world.file, good('edited'));
    await inForce('edited', one, other);
    expect((await world.start()).keeper.current().domain).toBe('edited');
    await put(other, good('put again'));
    await inForce('put again', one, other);
  });

  it('stays in force while the configured source has changed to something faulty', async () => {
    const process = await world.start();
    await put(process, good('put'));
    await writeFile(world.file, bad('edited'));
    await until(() => expect(process.keeper.ruleSet().lastError).toMatch(/line 4/));
    expect(process.keeper.current().domain).toBe('put');
    const restarted = await world.start();
    expect(restarted.keeper.ruleSet()).toMatchObject({
      domain: 'put',
      lastError: expect.stringMatching(/line 4/),
    });
    expect(await measured(restarted)).toMatchObject({ stale: 1 });
    await put(restarted, good('put'));
    expect(restarted.keeper.ruleSet().lastError).toBeNull();
    await until(() => expect(process.keeper.ruleSet().lastError).toBeNull());
  });

  it('is in force at a start without the configured source, and everywhere when it is put without', async () => {
    const [one, other] = await Promise.all([world.start(), world.start()]);
    await put(one, good('put'));
    await inForce('put', other);
    await rm(world.file);
    const late = await world.start();
    expect(late.keeper.ruleSet()).toMatchObject({
      domain: 'put',
      lastError: expect.stringMatching(/ENOENT/),
    });
    await put(late, good('put without'));
    await inForce('put without', one, other, late);
    await writeFile(world.file, good('configured'));
    await until(() =>
      expect(late.keeper.ruleSet()).toMatchObject({ domain: 'put without', lastError: null }),
    );
    await inForce('put without', one, other);
  });

  it('is refused with line, column and path of every fault, and changes nothing', async () => {
    const process = await world.start();
    const rules = process.keeper.current();
    const outcome = await put(process, bad('put'));
    expect(outcome).toEqual({
      ok: false,
      errors: [
        {
          code: 'RATE_LIMIT_RULES_INVALID',
          message: expect.stringMatching(/^line 4, column \d+: ./),
          path: ['input', 'document', 'descriptors', '0', 'rate_limit', 'unit'],
        },
      ],
    });
    expect(process.keeper.current()).toBe(rules);
    expect(await domainsOf(process.keeper)).toEqual([]);
  });

  it('is refused where it holds what Postgres cannot keep', async () => {
    const outcome = await put(await world.start(), `${good('put')}# \0`);
    expect(outcome).toMatchObject({ ok: false, errors: [{ code: 'RATE_LIMIT_RULES_INVALID' }] });
  });

  it('is only looked at in a dry run', async () => {
    const process = await world.start();
    const input = { document: good('put'), dryRun: true };
    expect(await process.keeper.put(admin(), input)).toMatchObject({
      ok: true,
      value: { domain: 'put', source: 'dry run', document: good('put'), lastError: null },
    });
    expect(await process.keeper.put(admin(), { ...input, document: bad('put') })).toMatchObject({
      ok: false,
    });
    expect(process.keeper.current().domain).toBe('configured');
    expect(await domainsOf(process.keeper)).toEqual([]);
  });

  it('leaves no trace when it is in force everywhere already, because it was put', async () => {
    const process = await world.start();
    await put(process, good('put'), admin('alice'));
    expect(await put(process, good('put'), admin('bob'))).toMatchObject({
      value: { source: 'put by alice' },
    });
    expect(await domainsOf(process.keeper)).toEqual(['put']);
  });

  it('is refused, and not kept, where it could not be read in time', async () => {
    const process = await world.start({
      read: (document) =>
        document === good('slow') ? Promise.reject(new TookTooLong(5_000)) : readHere(document),
    });
    expect(await put(process, good('slow'))).toEqual({
      ok: false,
      errors: [
        {
          code: 'RATE_LIMIT_RULES_INVALID',
          message: 'line 1, column 1: the document took longer than 5 s to read',
          path: ['input', 'document'],
        },
      ],
    });
    expect(await domainsOf(process.keeper)).toEqual([]);
  });

  it('supersedes what the source has become by then, even if nobody had looked yet', async () => {
    const process = await world.start();
    await writeFile(world.file, good('edited'));
    await put(process, good('put'));
    await process.keeper.lookAgain();
    expect(process.keeper.current().domain).toBe('put');
  });
});

it('of documents put at the same time the later one is in force on all processes', async () => {
  const [one, other] = await Promise.all([world.start(), world.start()]);
  const puts = Array.from({ length: 12 }, (_, at) => put(at % 2 ? one : other, good(`put ${at}`)));
  for (const outcome of await Promise.all(puts)) expect(outcome.ok).toBe(true);
  const [last] = await domainsOf(one.keeper);
  await inForce(last ?? '', one, other);
  expect((await world.start()).keeper.current().domain).toBe(last);
});

describe('a document that is put with the version that it was made from', () => {
  const codeOf = (outcome: Awaited<ReturnType<typeof put>>): string =>
    outcome.ok ? 'ok' : outcome.errors.map(({ code, path }) => `${code} ${path?.join('.')}`).join();

  it('is put where that is in force, and refused where it is not, also by a process that has not looked', async () => {
    const [one, other] = await Promise.all([world.start(), world.start({ earUrl: NOWHERE })]);
    const expectedVersion = one.keeper.ruleSet().version;
    const putBy = (process: typeof one, name: string, dryRun = false) =>
      process.keeper.put(admin(name), { document: good(name), dryRun, expectedVersion });
    expect(codeOf(await putBy(one, 'alice'))).toBe('ok');
    expect(codeOf(await putBy(other, 'bob'))).toBe('VERSION_CONFLICT input.expectedVersion');
    expect(codeOf(await putBy(one, 'bob', true))).toBe('VERSION_CONFLICT input.expectedVersion');
    expect(await domainsOf(one.keeper)).toEqual(['alice']);
    // Its answer was lost, and it is put again.
    expect(codeOf(await putBy(other, 'alice'))).toBe('ok');
    expect(codeOf(await put(other, good('without a version')))).toBe('ok');
  });

  it('is put once, where several put theirs at the same time on several processes', async () => {
    const [one, other] = await Promise.all([world.start(), world.start()]);
    const expectedVersion = one.keeper.ruleSet().version;
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        (at % 2 ? one : other).keeper.put(admin(), {
          ...{ document: good(`put ${at}`), dryRun: false },
          expectedVersion,
        }),
      ),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    const [only, ...more] = await domainsOf(one.keeper);
    expect(more).toEqual([]);
    await inForce(only!, one, other);
  });

  it('is refused once the configured source has changed', async () => {
    const process = await world.start();
    const expectedVersion = process.keeper.ruleSet().version;
    await writeFile(world.file, good('edited'));
    const outcome = await process.keeper.put(admin(), {
      ...{ document: good('put'), dryRun: false },
      expectedVersion,
    });
    expect(codeOf(outcome)).toBe('VERSION_CONFLICT input.expectedVersion');
    expect(process.keeper.current().domain).toBe('edited');
  });
});
