import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWebhookMetrics } from '../../src/domains/notifications/webhooks/metrics.js';
import { createPost } from '../../src/domains/notifications/webhooks/post.js';
import { drainWebhook, type RelayDeps } from '../../src/domains/notifications/webhooks/relay.js';
import { createRelayStore } from '../../src/domains/notifications/webhooks/relay-store.js';
import { createSecretKeeper } from '../../src/domains/notifications/webhooks/secrets.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import { giveUp } from './dead-letter-world.js';
import { openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';

const seed = Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31));
const KEY = 'a key of webhooks for tests alone';

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world?.close());

class Killed extends Error {}

/** The relay of a process that is killed before or after its `n`-th statement or request, whatever that is. */
function mortal(dies: { readonly at: number; readonly isAfter: boolean }): RelayDeps & { close(): void } {
  let done = 0;
  let isDead = false;
  async function live<T>(work: () => Promise<T>): Promise<T> {
    if (isDead) throw new Killed();
    done += 1;
    if (done === dies.at) isDead = true;
    if (isDead && !dies.isAfter) throw new Killed();
    const outcome = await work();
    // Whatever a dead process was answered, it makes nothing of it.
    if (isDead) throw new Killed();
    return outcome;
  }
  const postgres: Queryable = {
    query: ((...args: Parameters<Queryable['query']>) =>
      live(() => world.postgres.query(...args))) as Queryable['query'],
  };
  const { post, close } = createPost({ allowPrivate: true });
  return {
    store: createRelayStore(postgres),
    post: (...args) => live(() => post(...args)),
    secrets: createSecretKeeper(KEY),
    disable: async () => undefined,
    clock: world.clock,
    metrics: createWebhookMetrics(new Registry()),
    random: () => 0,
    close,
  };
}

it(`whenever the relay is killed, each event arrives, and none before those of its notification that come before it (seed ${seed})`, async () => {
  const plans = fc.record({
    kills: fc.array(fc.record({ at: fc.integer({ min: 1, max: 25 }), isAfter: fc.boolean() }), {
      minLength: 1,
      maxLength: 6,
    }),
    /** Which requests the receiver refuses. */
    refused: fc.infiniteStream(fc.nat(9)),
  });
  await fc.assert(
    fc.asyncProperty(plans, async ({ kills, refused }) => {
      const types = ['CREATED', 'VALIDATED', 'QUEUED', 'FAILED', 'DLQ'];
      await world.switchOff();
      const { webhookId, receiver } = await world.aWebhook({ eventTypes: types });
      receiver.answer = (response) => response.writeHead(refused.next().value < 2 ? 500 : 204).end();
      const requestIds: string[] = [];
      for (const dies of kills) {
        requestIds.push(await world.notify({ users: 2 }));
        const relay = mortal(dies);
        // While it runs, more happens to what it sends.
        await Promise.all([
          drainWebhook(relay, webhookId, running).catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error;
          }),
          failOne(requestIds.at(-1)!),
        ]);
        relay.close();
        // Its leases end.
        await world.postgres.query(`UPDATE webhook_backlogs SET due_at = now() WHERE webhook_id = $1`, [
          webhookId,
        ]);
      }
      while ((await world.waiting(webhookId)) > 0) await world.relay.drain(webhookId, running);
      for (const requestId of requestIds) {
        const { rows } = await world.postgres.query<{ number: number }>(
          `SELECT number FROM ${LIFECYCLE_EVENTS} AS e WHERE request_id = $1 AND event = ANY ($2) ORDER BY number`,
          [requestId, types],
        );
        const seen = world.numbersOf(receiver, requestId);
        // One that was sent again is the last that had been sent.
        const isRepeat = (number: number, at: number): boolean => seen[at - 1] === number;
        expect(seen.filter((number, at) => !isRepeat(number, at))).toEqual(rows.map(({ number }) => number));
      }
    }),
    { seed, numRuns: 15 },
  );
}, 120_000);

/** One of a request's deliveries is given up. */
async function failOne(requestId: string): Promise<void> {
  const { rows } = await world.postgres.query<{ id: string }>(
    'SELECT delivery_id AS id FROM deliveries WHERE request_id = $1 LIMIT 1',
    [requestId],
  );
  await giveUp(
    world,
    rows.map(({ id }) => id),
  );
}
