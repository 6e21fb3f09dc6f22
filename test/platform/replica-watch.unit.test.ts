import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { watchReplicas } from '../../src/platform/postgres/replicas/replica-watch.js';

/** A server that answers each question by what `state` is at that moment. */
const answering = (state: object): Queryable => ({
  query: async () => ({ rows: [{ ...state }] }) as never,
});

/** A primary and a replica of it, whose places a test sets. */
function open(primary: { position: number; timeline: string }, replica: { position: number }) {
  const watch = watchReplicas({
    primary: answering(primary),
    replicas: [{ name: 'one', postgres: answering(Object.assign(replica, { isReplica: true })) }],
    maxLagMs: 5_000,
    logger: pino({ level: 'silent' }),
    metrics: new Registry(),
  });
  onTestFinished(watch.close);
  return { choice: (atLeast = 0) => watch.choose('alice', atLeast) };
}

const soon = { timeout: 10_000, interval: 20 };

it('a replica that has followed a primary further than its successor answers once it has passed where it was', async () => {
  const primary = { position: 1_000, timeline: '1' };
  const replica = { position: 1_000 };
  const { choice } = open(primary, replica);
  await vi.waitFor(() => expect(choice()).toMatchObject({ name: 'one' }), soon);

  // The standby that took over had less, and has written something else since.
  Object.assign(primary, { position: 960, timeline: '2' });
  await vi.waitFor(() => expect(choice()).toBe('behind'), soon);
  primary.position = 1_010;
  // It asks once a second: after two looks it has seen all there is.
  const asked = vi.spyOn(performance, 'now');
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThan(2), soon);
  expect(choice()).toBe('behind');

  replica.position = 1_010;
  await vi.waitFor(() => expect(choice(1_010)).toMatchObject({ name: 'one' }), soon);
});

it('a replica of a primary that writes nothing answers', async () => {
  const { choice } = open({ position: 1_000, timeline: '1' }, { position: 1_000 });
  await vi.waitFor(() => expect(choice(1_000)).toMatchObject({ name: 'one' }), soon);
});
