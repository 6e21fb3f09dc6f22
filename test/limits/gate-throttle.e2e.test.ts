import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { itCounts } from './counted.js';
import { ask, bearer, type LimitedWorld, measured, type Sent, startLimitedWorld } from './limited-world.js';

/** Of one token each: so far apart are two admissions at the least. */
const INTERVAL_MS = 2_000;
const rules = `
domain: throttle
descriptors:
  - key: user_id
    rate_limit: { requests_per_unit: 1000, unit: day }
  - key: endpoint
    value: Query.rateLimit
    rate_limit: { requests_per_unit: 30, unit: minute, algorithm: token_bucket, burst: 1 }
    action: throttle
`;

let world: LimitedWorld;
beforeAll(async () => {
  world = await startLimitedWorld(rules);
  // Known from now on, so that it passes the gate in one step: all its counters are charged when its turn comes.
  await ask(world.api, STANDING, await bearer('first-of-all'));
});
afterAll(() => world.close());

const apis = () => [world.api];

const STANDING = '{ rateLimit { tiers { rule used } } }';

/** Which of its user's requests this one was, by the order in which they were charged. */
function numberOf({ status, body }: Sent): number {
  expect(status).toBe(200);
  return body.data.rateLimit.tiers.find(({ rule }: { rule: string }) => rule === 'user_id').used;
}

const inLine = (count: number): Promise<void> =>
  vi.waitFor(async () => expect(await measured(world.api, 'rate_limiter_throttle_queue')).toBe(count), {
    timeout: 10_000,
    interval: 5,
  });

itCounts(
  'throttled requests wait for their turns, one interval each, first come, first served',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('patient'));
    const start = Date.now();
    expect(numberOf(await ask(world.api, STANDING, authorization))).toBe(1);
    const answers: Promise<{ number: number; at: number }>[] = [];
    for (const place of [1, 2, 3]) {
      const answer = ask(world.api, STANDING, authorization);
      answers.push(answer.then((sent) => ({ number: numberOf(sent), at: Date.now() })));
      if (place < 3) await inLine(place);
    }
    const served = await Promise.all(answers);
    expect(served.map(({ number }) => number)).toEqual([2, 3, 4]);
    for (const [index, { at }] of served.entries())
      expect(at - start).toBeGreaterThanOrEqual((index + 1) * INTERVAL_MS);
  },
);

it('who aborts ten requests that wait, as a search box does, is neither refused nor made to wait after that', async () => {
  const authorization = await bearer('typist');
  expect((await ask(world.api, STANDING, authorization)).status).toBe(200);
  const cancelled = () => measured(world.api, 'rate_limiter_requests_total', 'result="cancelled"');
  const before = await cancelled();
  for (let n = 0; n < 10; n += 1) {
    const typing = new AbortController();
    const sent = fetch(`${world.api.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: STANDING }),
      signal: typing.signal,
    }).then(
      ({ status }) => status,
      () => 'aborted',
    );
    // Whichever comes first: it waits in the queue, or the limit admits it by now.
    await Promise.race([sent, inLine(1)]);
    typing.abort();
    expect(['aborted', 200]).toContain(await sent);
    await inLine(0);
  }
  expect((await cancelled()) - before).toBeGreaterThan(5);
  expect((await ask(world.api, '{ __typename }', authorization)).status).toBe(200);
  expect((await ask(world.api, STANDING, authorization)).status).toBe(200);
});

itCounts(
  'who leaves the line gives up the place and is charged nothing: the next comes up',
  apis,
  async (strangers) => {
    const authorization = await bearer(strangers.user('neighbour'));
    const start = Date.now();
    expect(numberOf(await ask(world.api, STANDING, authorization))).toBe(1);
    const leaving = new AbortController();
    const left = fetch(`${world.api.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query: STANDING }),
      signal: leaving.signal,
    });
    await inLine(1);
    const next = ask(world.api, STANDING, authorization);
    await inLine(2);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    await inLine(1);
    expect(numberOf(await next)).toBe(2);
    expect(Date.now() - start).toBeGreaterThanOrEqual(INTERVAL_MS);
    expect(numberOf(await ask(world.api, STANDING, authorization))).toBe(3);
  },
);
