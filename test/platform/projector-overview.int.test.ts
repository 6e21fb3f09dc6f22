import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Upcasters } from '../../src/platform/event-log/index.js';
import { forgetProjector } from '../../src/platform/projector/overview.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { startProjector } from '../commerce/with-commerce.js';
import {
  caughtUp,
  openProjectorWorld,
  overviewOf,
  type ProjectorWorld,
  tally,
  until,
} from './projector-world.js';

let readable = true;
const upcasters: Upcasters = {
  Counted(data) {
    if (!readable && data.by === 13) throw new Error('no such version');
    return data;
  },
};
let on: ProjectorWorld;

beforeAll(async () => {
  on = await openProjectorWorld(upcasters);
});
afterAll(() => on.close());

const other: Projector = { name: 'other', eventTypes: new Set(['Renamed']), apply: async () => undefined };

it('a projector that has read all is live, one that is behind says by how much and for how long', async () => {
  await on.count('Stream-1', 1, 2, 3);
  const runner = startProjector(on, tally());
  await caughtUp(on, 'tally');
  await runner.stop();
  expect(await overviewOf(on, 'tally')).toEqual({
    name: 'tally',
    state: 'LIVE',
    lastPosition: 3,
    headPosition: 3,
    lagEvents: 0,
    lagMs: 0,
    lastError: null,
    updatedAt: expect.any(Date),
    rebuiltAt: null,
    rebuildable: true,
    rebuild: null,
  });

  await on.count('Stream-1', 4, 5);
  const behind = await overviewOf(on, 'tally');
  expect(behind).toMatchObject({ state: 'LIVE', lastPosition: 3, headPosition: 5, lagEvents: 2 });
  expect(behind.lagMs).toBeGreaterThan(0);
  await until(async () => expect((await overviewOf(on, 'tally')).state).toBe('CATCHING_UP'));
  expect((await overviewOf(on, 'tally')).lagMs).toBeGreaterThan(1_000);
});

it('an event that no upcaster reads stops those who want it, visibly, until one does', async () => {
  const runners = [startProjector(on, tally()), startProjector(on, other)];
  await caughtUp(on, 'tally');
  readable = false;
  await on.count('Stream-1', 12, 13, 14);
  const unreadable = (await on.log.head()) - 1;
  await until(async () =>
    expect(await overviewOf(on, 'tally')).toMatchObject({
      state: 'STALLED',
      lastPosition: unreadable - 1,
      lagEvents: 2,
      lastError: `event ${unreadable} cannot be applied: no such version`,
    }),
  );
  await caughtUp(on, 'other');
  expect(await overviewOf(on, 'other')).toMatchObject({ state: 'LIVE', lastError: null, rebuildable: false });

  readable = true;
  await caughtUp(on, 'tally');
  await until(async () =>
    expect(await overviewOf(on, 'tally')).toMatchObject({ state: 'LIVE', lastError: null, lagEvents: 0 }),
  );
  await Promise.all(runners.map((runner) => runner.stop()));
});

it('a projector that no process runs is taken off the list by an admin, and goes on from where it was if it comes back', async () => {
  const gone: Projector = { name: 'gone', eventTypes: new Set(['Counted']), apply: async () => undefined };
  const runner = startProjector(on, gone);
  await caughtUp(on, 'gone');
  expect(await forgetProjector(on.postgres, 'gone')).toMatchObject({
    ok: false,
    errors: [{ code: 'PROJECTOR_RUNNING', path: ['input', 'name'] }],
  });
  expect(await overviewOf(on, 'gone')).toMatchObject({ state: 'LIVE' });
  await runner.stop();
  await on.count('Stream-1', 15);
  const { lastPosition } = await overviewOf(on, 'gone');

  // The session that held it may be gone a moment later.
  await until(async () =>
    expect(await forgetProjector(on.postgres, 'gone')).toEqual({ ok: true, value: 'gone' }),
  );
  expect(await overviewOf(on, 'gone')).toBeUndefined();
  expect(await forgetProjector(on.postgres, 'gone')).toMatchObject({
    ok: false,
    errors: [{ code: 'PROJECTOR_NOT_FOUND' }],
  });

  const seen: number[] = [];
  const again = startProjector(on, {
    ...gone,
    apply: async (events) => void seen.push(...events.map(({ globalPosition }) => globalPosition)),
  });
  await caughtUp(on, 'gone');
  await again.stop();
  expect(seen).toEqual([lastPosition + 1]);
});
