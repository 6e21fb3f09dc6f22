import { afterAll, beforeAll, expect, vi } from 'vitest';
import { itCounts } from './counted.js';
import { ask, bearer, type LimitedWorld, startLimitedWorld, statusesOf, usesOf } from './limited-world.js';

const rules = `
domain: refunds
descriptors:
  - key: user_id
    rate_limits:
      - { requests_per_unit: 90, unit: day }
      - { requests_per_unit: 90, unit: hour, algorithm: sliding_window_log }
      - { requests_per_unit: 100, unit: minute, algorithm: leaky_bucket, burst: 1000 }
  - key: endpoint
    value: Mutation.upsertProfile
    rate_limit: { requests_per_unit: 2, unit: day }
  - key: query_cost
    rate_limit: { requests_per_unit: 10, unit: day, algorithm: token_bucket, burst: 10000 }
`;

let world: LimitedWorld;
beforeAll(async () => {
  world = await startLimitedWorld(rules);
});
afterAll(() => world.close());

const apis = () => [world.api];

const save = (alias: string): string =>
  `${alias}: upsertProfile(input: { displayName: "A" }) { userErrors { code } }`;
const saves = (...aliases: string[]): string => `mutation { ${aliases.map(save).join(' ')} }`;

/** Of tiers that only fill up within a test: what leaks away meanwhile says nothing. */
async function lastingUses(descriptors: Readonly<Record<string, string>>): Promise<Record<string, number>> {
  const { 'user_id per_minute': _, ...lasting } = await usesOf(world.api, descriptors);
  return lasting;
}

/** Refunds leave after the answer. */
const settlesAt = (descriptors: Readonly<Record<string, string>>, uses: object): Promise<void> =>
  vi.waitFor(async () => expect(await lastingUses(descriptors)).toEqual(uses), {
    timeout: 10_000,
    interval: 20,
  });

/** The uses once an admitted operation has got back what it did not use of its reserved cost. */
async function usesAtCost(
  descriptors: Readonly<Record<string, string>>,
  cost: number,
): Promise<Record<string, number>> {
  await vi.waitFor(
    async () => expect(await lastingUses(descriptors)).toMatchObject({ 'query_cost per_day': cost }),
    { timeout: 10_000, interval: 20 },
  );
  return lastingUses(descriptors);
}

const userOf = (user_id: string) => ({
  user_id,
  plan: 'free',
  endpoint: 'Mutation.upsertProfile',
  query_cost: '1',
});

for (const { what, refused, isKnown } of [
  { what: 'of a known document', refused: saves('known', 'too'), isKnown: true },
  {
    what: 'of a document that nobody sent before',
    refused: saves('never', 'seen', 'before'),
    isKnown: false,
  },
]) {
  itCounts(
    `a refused operation ${what} leaves all of its user’s counters as they were`,
    apis,
    async (strangers) => {
      const userId = strangers.user('refused');
      const authorization = await bearer(userId);
      const document = isKnown ? refused : `${refused} # ${userId}`;
      if (isKnown) await ask(world.api, document, await bearer(strangers.user('another')));
      expect((await ask(world.api, saves('one'), authorization)).status).toBe(200);
      const before = await usesAtCost(userOf(userId), 2);
      expect(before).toMatchObject({
        'user_id per_day': 1,
        'user_id per_hour': 1,
        'endpoint=Mutation.upsertProfile per_day': 1,
      });

      const answer = await ask(world.api, document, authorization);

      expect(answer.status).toBe(429);
      expect(answer.body.error.message).toContain('Mutation.upsertProfile');
      await settlesAt(userOf(userId), before);
      expect((await ask(world.api, saves('two'), authorization)).status).toBe(200);
      expect(await lastingUses(userOf(userId))).toMatchObject({
        'user_id per_day': 2,
        'user_id per_hour': 2,
      });
    },
  );
}

itCounts(
  'a hundred refusals cost their user nothing, more than his limits would have held',
  apis,
  async (strangers) => {
    const userId = strangers.user('stubborn');
    const authorization = await bearer(userId);
    const refused = () => ask(world.api, saves('a', 'b'), authorization);
    expect((await refused()).status).toBe(200);
    const before = await usesAtCost(userOf(userId), 4);
    expect(new Set(await statusesOf(100, refused))).toEqual(new Set([429]));
    await settlesAt(userOf(userId), before);
  },
);
