import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { good, type TestProcess } from './reload-world.js';
import { domainsOf, inForce, keeperWorld, put } from './rule-keeper-world.js';

const world = keeperWorld();

async function startWith(domain: string): Promise<{ file: string; process: TestProcess }> {
  const file = world.at(`${domain}.yaml`);
  await writeFile(file, good(domain));
  return { file, process: await world.start({ source: file }) };
}

it('a put is in force on processes whose files differ, and stays so after restarts', async () => {
  const [old, rolledOut] = [await startWith('old'), await startWith('new')];
  await put(old.process, good('put'));
  await inForce('put', old.process, rolledOut.process);
  await put(rolledOut.process, good('put again'));
  await inForce('put again', old.process, rolledOut.process);
  for (const { file } of [old, rolledOut]) {
    expect((await world.start({ source: file })).keeper.current().domain).toBe('put again');
  }
});

it('a new file takes over from a put where it is rolled out, and the next put reaches old and new', async () => {
  const old = await startWith('old');
  await put(old.process, good('put'));
  const rolledOut = await startWith('new');
  expect(rolledOut.process.keeper.current().domain).toBe('new');
  expect(old.process.keeper.current().domain).toBe('put');
  await put(rolledOut.process, good('put again'));
  await inForce('put again', old.process, rolledOut.process);
});

it('a put that is repeated where it is in force reaches the processes where it is not', async () => {
  const old = await startWith('old');
  await put(old.process, good('put'));
  const rolledOut = await startWith('new');
  expect(rolledOut.process.keeper.current().domain).toBe('new');
  await put(old.process, good('put'));
  await inForce('put', old.process, rolledOut.process);
  await put(rolledOut.process, good('put'));
  expect(await domainsOf(old.process.keeper)).toEqual(['put', 'put']);
});

it('putting the file’s own text withdraws what was put over it, everywhere', async () => {
  const [one, other] = [await startWith('configured'), await startWith('another')];
  await put(one.process, good('put'));
  await inForce('put', one.process, other.process);
  await put(one.process, good('configured'));
  await inForce('configured', one.process, other.process);
});

it('going back to an older file brings back what was put over it', async () => {
  const { file, process } = await startWith('old');
  await put(process, good('put'));
  await writeFile(file, good('new'));
  await inForce('new', process);
  await writeFile(file, good('old'));
  await inForce('put', process);
});

it('processes that first see a new file at the same moment agree on what came first', async () => {
  const { file, process } = await startWith('old');
  await put(process, good('put'));
  await writeFile(file, good('new'));
  const others = await Promise.all(Array.from({ length: 4 }, () => world.start({ source: file })));
  await inForce('new', process, ...others);
  const { rows } = await process.postgres.query(
    'SELECT seen_after FROM rate_limit_sources ORDER BY seen_after',
  );
  expect(rows).toEqual([{ seen_after: 0 }, { seen_after: 1 }]);
});
