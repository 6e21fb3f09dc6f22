import { expect, it } from 'vitest';
import type { Look } from '../../src/platform/cache/missed-writes.js';
import { followAcceptedServer } from '../../src/platform/redis/accepted-server.js';
import { WrongServer } from '../../src/platform/redis/redis-epoch.js';

function open() {
  let time = 0;
  let used = 0;
  const offers: unknown[] = [];
  const server = followAcceptedServer(
    {
      async acceptEpoch(epoch, unused) {
        offers.push([epoch, unused?.uses]);
      },
      async noteUse() {
        used += 1;
      },
    },
    () => time,
  );
  const look = (uses: number): Look => ({
    hasUnapplied: false,
    epoch: 'run/1',
    life: 'run/1',
    uses,
    acceptedMs: 0,
  });
  return {
    server,
    offers,
    used: () => used,
    /** A second passes, and Postgres says that it was used so often; undefined: it says nothing. */
    second(uses: number | undefined) {
      time += 1_000;
      server.saw(uses === undefined ? undefined : look(uses));
    },
  };
}

it('a server that was left is offered with the accepted one only when nobody has used that for 10 s', async () => {
  const { server, offers, second } = open();
  second(1);
  await server.offer('old/1');
  for (let seconds = 0; seconds < 9; seconds += 1) second(1);
  await expect(server.offer('old/1')).rejects.toBeInstanceOf(WrongServer);
  second(1);
  await server.offer('old/1');
  expect(offers).toEqual([
    ['old/1', undefined],
    ['old/1', 1],
  ]);
});

it.each([
  ['it was used meanwhile', 2],
  ['Postgres did not answer meanwhile, so that nobody could say that he uses it', undefined],
])('not where %s', async (_, between) => {
  const { server, offers, second } = open();
  second(1);
  await server.offer('old/1');
  for (let seconds = 0; seconds < 8; seconds += 1) second(1);
  second(between);
  for (let seconds = 0; seconds < 5; seconds += 1) second(between ?? 1);
  await server.offer('old/1');
  expect(offers).toEqual([
    ['old/1', undefined],
    ['old/1', undefined],
  ]);
});

it('a process on the accepted server says so where nobody else has for 2 s', () => {
  const { server, used, second } = open();
  for (const uses of [1, 2, 3]) {
    second(uses);
    server.use();
  }
  expect(used()).toBe(0);
  second(3);
  second(3);
  server.use();
  expect(used()).toBe(1);
});
