import { expect, it } from 'vitest';
import { createLookBack } from '../../src/platform/look-back.js';

const MARGIN_MS = 10_000;
const MINUTE_MS = 60_000;

/** Looks that answer at once, and how far back each of them went. */
function open() {
  const clock = { now: 1_000_000 };
  const lookBack = createLookBack(() => clock.now);
  const backs: (number | null)[] = [];
  return {
    clock,
    backs,
    look: (leftNothing: boolean) =>
      lookBack.look(
        async (backMs) => {
          backs.push(backMs);
        },
        () => leftNothing,
      ),
  };
}

it('looks at everything until a look has left nothing', async () => {
  const { look, backs } = open();
  await look(false);
  await look(false);
  await look(true);
  await look(true);
  expect(backs).toEqual([null, null, null, MARGIN_MS]);
});

it('goes back to the last look that left nothing, and a margin', async () => {
  const { look, backs, clock } = open();
  await look(true);
  clock.now += 5_000;
  await look(false);
  clock.now += 5_000;
  await look(true);
  clock.now += 1_000;
  await look(true);
  expect(backs).toEqual([null, 5_000 + MARGIN_MS, 10_000 + MARGIN_MS, 1_000 + MARGIN_MS]);
});

it('looks at everything once a minute, and again until that has left nothing', async () => {
  const { look, backs, clock } = open();
  await look(true);
  clock.now += MINUTE_MS;
  await look(false);
  await look(true);
  await look(true);
  expect(backs).toEqual([null, null, null, MARGIN_MS]);
});

it('looks at everything less often where that takes long: a hundredth of the time', async () => {
  const { clock } = open();
  const lookBack = createLookBack(() => clock.now);
  const backs: (number | null)[] = [];
  const look = (takesMs: number) =>
    lookBack.look(
      async (backMs) => {
        backs.push(backMs);
        clock.now += takesMs;
      },
      () => true,
    );
  await look(6_000);
  clock.now += 599_999;
  await look(0);
  clock.now += 1;
  await look(0);
  expect(backs.map((back) => back === null)).toEqual([true, false, true]);
});

it('a look that fails changes nothing', async () => {
  const { look, backs } = open();
  const lookBack = createLookBack();
  await expect(
    lookBack.look(
      () => Promise.reject(new Error('away')),
      () => true,
    ),
  ).rejects.toThrow('away');
  await lookBack.look(
    async (backMs) => expect(backMs).toBeNull(),
    () => true,
  );
  await look(true);
  expect(backs).toEqual([null]);
});
