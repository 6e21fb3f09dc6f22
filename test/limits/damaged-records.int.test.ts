import type { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { ALGORITHMS, type Tier } from '../../src/platform/gate.js';
import { counterWorld } from './counter-store-world.js';
import { aUse } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

const world = counterWorld();
const minute = aTier({ counterId: 'minute', limit: 3 });
const budget = aTier({ counterId: 'budget', algorithm: 'leaky_bucket', windowSeconds: 60 });
const usesOf = (...tiers: Tier[]) => tiers.map((tier) => aUse('u:alice', tier));
/** A record's numbers: when it expires, then of each counter its time and its state. */
const [TIME, COUNT, TIME_OF_SECOND] = [1, 2, 3];

async function overwrite(place: number, value: number): Promise<void> {
  const client = world.redis.client as Redis;
  const { key } = usesOf(minute)[0]!;
  const bytes = (await client.getBuffer(key))!;
  bytes.writeDoubleLE(value, 3 + 13 * bytes.readUInt16LE(1) + 8 * place);
  await client.set(key, bytes, 'KEEPTTL');
}

async function admittedOf(uses: ReturnType<typeof usesOf>, times: number): Promise<number> {
  let admitted = 0;
  for (let n = 0; n < times; n += 1) admitted += Number((await world.store.charge(uses)).admitted);
  return admitted;
}

const strange = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1e9, 1e300];

it.each(
  ALGORITHMS.filter((algorithm) => algorithm !== 'sliding_window_log').flatMap((algorithm) =>
    strange.flatMap((value) => [TIME, COUNT].map((place) => ({ algorithm, value, place }))),
  ),
)('$value at place $place of a record lets nobody past a $algorithm', async ({ algorithm, value, place }) => {
  const uses = usesOf(aTier({ counterId: 'minute', algorithm, limit: 3 }));
  await world.store.charge(uses);
  await overwrite(place, value);
  expect(await admittedOf(uses, 6)).toBeLessThanOrEqual(3);
  // It does not refuse for ever, either.
  world.pass(3 * 60_000);
  expect(await admittedOf(uses, 6)).toBe(3);
});

it.each(strange)('a time of %s in one counter of a record fails no check of its others', async (time) => {
  await world.store.charge(usesOf(minute, budget));
  await overwrite(TIME_OF_SECOND, time);
  world.pass(60_000);
  await expect(world.store.charge(usesOf(minute))).resolves.toMatchObject({ admitted: true });
});

it('a damaged record fails nobody else whose check travels in the same call', async () => {
  await world.store.charge(usesOf(minute, budget));
  await overwrite(TIME_OF_SECOND, 1e300);
  world.pass(60_000);
  const bob = aUse('u:bob', minute);
  const answers = await Promise.all([world.store.charge(usesOf(minute)), world.store.charge([bob])]);
  expect(answers.map(({ admitted }) => admitted)).toEqual([true, true]);
  expect(await world.usedBy(bob)).toBe(1);
});
