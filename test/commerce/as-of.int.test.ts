import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readAccountAsOf } from '../../src/domains/commerce/account/as-of.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { createCommerce } from '../../src/domains/commerce/index.js';
import { createReplaySnapshots } from '../../src/domains/commerce/replay-snapshots.js';
import { systemClock } from '../../src/platform/clock.js';
import type { EventLog, NewEvent } from '../../src/platform/event-log/index.js';
import { createTurns } from '../../src/platform/event-log/turns.js';
import { accountSummary } from '../../src/projectors/commerce/account-summary.js';
import { closed, created, moved, writeAccount } from './history.js';
import { LoopbackHub } from './loopback-hub.js';
import { type CommerceOnTest, callerNamed, ids, openCommerce, startProjector } from './with-commerce.js';

const alice = callerNamed('alice');
let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

/** Writes each event in a millisecond of its own. Answers the moments as clients see them. */
async function happen(accountId: string, ...events: NewEvent[]): Promise<Date[]> {
  for (const event of events) {
    await writeAccount(on.log, accountId, event);
    await on.postgres.query(
      "SELECT pg_sleep_until(date_trunc('milliseconds', clock_timestamp()) + interval '1 ms')",
    );
  }
  return (await on.log.readStream(accountStream(accountId))).map(({ createdAt }) => createdAt);
}
const replaying = () => ({
  log: on.log,
  clock: systemClock,
  inTurn: createTurns(),
  snapshots: createReplaySnapshots(on.postgres),
});
const before = (date: Date): Date => new Date(date.getTime() - 1);
const asOf = (accountId: string, date: Date, caller = alice) =>
  on.commerce.accountAsOf(caller, accountId, date);

it('an account is shown as it was after each of its events', async () => {
  const id = ids.next();
  const history = [
    created(id, 'alice'),
    moved('MoneyDeposited', '10.00', 'wages'),
    moved('MoneyWithdrawn', '0.25'),
    closed,
  ];
  const dates = await happen(id, ...history);
  const account = { accountId: id, ownerId: 'alice', currency: 'USD' };
  const wages = { date: dates[1], desc: 'wages', amount: '10.00' };
  const rest = [{ date: dates[2], desc: 'Withdrawal', amount: '-0.25' }, wages];
  expect(await Promise.all(dates.map((date) => asOf(id, date)))).toEqual([
    { ...account, status: 'ACTIVE', balance: '0.00', recentTransactions: [], version: 0 },
    { ...account, status: 'ACTIVE', balance: '10.00', recentTransactions: [wages], version: 1 },
    { ...account, status: 'ACTIVE', balance: '9.75', recentTransactions: rest, version: 2 },
    { ...account, status: 'CLOSED', balance: '9.75', recentTransactions: rest, version: 3 },
  ]);
  for (const [version, date] of dates.entries()) {
    if (version > 0) expect(await asOf(id, before(date))).toMatchObject({ version: version - 1 });
  }
});

it('an event’s createdAt, as a client saw it without its microseconds, includes the event', async () => {
  const id = ids.next();
  await happen(id, created(id, 'alice'));
  // Each with microseconds that the client never sees.
  await vi.waitFor(
    async () => {
      await writeAccount(on.log, id, moved('MoneyDeposited', '1.00'));
      const { rows } = await on.postgres.query<{ micros: number }>(
        `SELECT (extract(microseconds FROM created_at)::int % 1000) AS micros FROM events
         WHERE stream_id = $1 ORDER BY stream_position DESC LIMIT 1`,
        [accountStream(id)],
      );
      expect(rows[0]!.micros).toBeGreaterThan(0);
    },
    { timeout: 20_000, interval: 1 },
  );
  const { edges } = await on.commerce.accountAudit(alice, id, { last: 1 });
  const last = edges[0]!.node;
  expect(await asOf(id, new Date(last.createdAt.toISOString()))).toMatchObject({
    version: last.streamPosition,
  });
});

it('the future is refused, by our clock, but never a moment that the log has reached', async () => {
  const id = ids.next();
  const [date] = await happen(id, created(id, 'alice'));
  const clock = { now: () => date!.getTime() - 60_000 };
  expect(await readAccountAsOf({ ...replaying(), clock }, alice, id, date!)).toMatchObject({ version: 0 });
  const later = new Date(date!.getTime() + 1);
  await expect(readAccountAsOf({ ...replaying(), clock }, alice, id, later)).rejects.toMatchObject({
    code: 'AS_OF_IN_FUTURE',
    argument: ['asOf'],
  });
  await expect(asOf(id, new Date(Date.now() + 3_600_000))).rejects.toMatchObject({ code: 'AS_OF_IN_FUTURE' });
});

it('a moment before the first event is refused', async () => {
  const id = ids.next();
  const [first] = await happen(id, created(id, 'alice'));
  await expect(asOf(id, before(first!))).rejects.toMatchObject({
    code: 'AS_OF_TOO_EARLY',
    argument: ['asOf'],
  });
});

it('only the owner and admins learn anything, and an unknown account is null', async () => {
  const id = ids.next();
  const [first] = await happen(id, created(id, 'alice'));
  const wrong = [before(first!), first!, new Date(Date.now() + 3_600_000)];
  for (const date of wrong) {
    expect(await asOf(id, date, callerNamed('bob'))).toBeNull();
  }
  expect(await asOf(id, first!, callerNamed('root', 'admin'))).toMatchObject({ accountId: id });
  expect(await asOf('unknown', new Date())).toBeNull();
  expect(await asOf('\0', new Date())).toBeNull();
});

it('a stream of many pages is replayed without ever holding all of it', async () => {
  const id = ids.next();
  await writeAccount(on.log, id, created(id, 'alice'));
  const movements = Array.from({ length: 1_250 }, (_, n) => moved('MoneyDeposited', `${n + 1}.00`));
  await writeAccount(on.log, id, ...movements);
  let longest = 0;
  const log = {
    async readStream(...args: Parameters<typeof on.log.readStream>) {
      const events = await on.log.readStream(...args);
      longest = Math.max(longest, events.length);
      return events;
    },
  };
  const account = await readAccountAsOf({ ...replaying(), log }, alice, id, new Date());
  expect(account).toMatchObject({ version: 1_250, balance: '781875.00' });
  expect(account?.recentTransactions).toHaveLength(20);
  expect(account?.recentTransactions[0]).toMatchObject({ amount: '1250.00' });
  expect(longest).toBeLessThanOrEqual(500);
});

it('a long stream is read from its beginning once: later replays start at the last 200th event before their moment', async () => {
  const id = ids.next();
  await writeAccount(on.log, id, created(id, 'alice'));
  const movements = Array.from({ length: 700 }, (_, n) => moved('MoneyDeposited', `${n + 1}.00`));
  await writeAccount(on.log, id, ...movements);
  const [, half] = await happen(
    id,
    moved('MoneyWithdrawn', '0.50', 'half'),
    moved('MoneyWithdrawn', '1.00'),
  ).then((dates) => dates.slice(-3));
  await writeAccount(on.log, id, ...movements);
  const readAgain = async (date: Date) => {
    let read = 0;
    const log = {
      async readStream(...args: Parameters<typeof on.log.readStream>) {
        const events = await on.log.readStream(...args);
        read += events.length;
        return events;
      },
    };
    return { account: await readAccountAsOf({ ...replaying(), log }, alice, id, date), read: () => read };
  };
  const first = await readAgain(new Date());
  expect(first.read()).toBeGreaterThan(1_400);
  const [now, then] = [await readAgain(new Date()), await readAgain(half!)];
  expect(now.account).toEqual(first.account);
  expect(now.read()).toBeLessThanOrEqual(201);
  // What lies behind the moment in the page that it ends in is read as well. One more is read to tell whose account it is.
  expect(then.read()).toBeLessThanOrEqual(201);
  expect(then.account).toMatchObject({ version: 701, balance: '245349.50' });
  expect(then.account?.recentTransactions.slice(0, 2)).toMatchObject([
    { date: half, desc: 'half', amount: '-0.50' },
    { desc: 'Deposit', amount: '700.00' },
  ]);
  expect(then.account?.recentTransactions).toHaveLength(20);
});

it('one viewer’s replays take turns in a process, and keep no other viewer waiting', async () => {
  const id = ids.next();
  const [first] = await happen(id, created(id, 'alice'));
  const replays = { alice: 0, most: 0 };
  let [seen, letThrough] = [0, () => {}];
  const all = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const log: EventLog = {
    ...on.log,
    async readStream(streamId, after, limit) {
      // The look at whom the account belongs to is no replay.
      if (limit === 1) return on.log.readStream(streamId, after, limit);
      seen += 1;
      replays.most = Math.max(replays.most, ++replays.alice);
      await all;
      const events = await on.log.readStream(streamId, after, limit);
      replays.alice -= 1;
      return events;
    },
  };
  const commerce = createCommerce({ postgres: on.postgres, log, ids, clock: systemClock });
  const hers = Array.from({ length: 20 }, () => commerce.accountAsOf(alice, id, first!));
  await vi.waitFor(() => expect(seen).toBe(1), { timeout: 20_000, interval: 5 });
  const roots = commerce.accountAsOf(callerNamed('root', 'admin'), id, first!);
  await vi.waitFor(() => expect(seen).toBe(2), { timeout: 20_000, interval: 5 });
  letThrough();
  expect(await roots).toMatchObject({ version: 0 });
  for (const account of await Promise.all(hers)) expect(account).toMatchObject({ version: 0 });
  // Hers one by one, and the admin's beside them.
  expect(replays.most).toBe(2);
  expect(seen).toBe(21);
});

it('an invalid date is refused, and not taken for now', async () => {
  const id = ids.next();
  await happen(id, created(id, 'alice'));
  await expect(asOf(id, new Date('nonsense'))).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    argument: ['asOf'],
  });
});

it('now is what the read model has, whatever happened', async () => {
  const histories = fc.sample(
    fc.record({
      currency: fc.constantFrom('USD', 'JPY'),
      moves: fc.array(
        fc.record({
          cents: fc.integer({ min: 1, max: 10 ** 6 }),
          out: fc.boolean(),
          description: fc.option(fc.string({ maxLength: 20, unit: 'grapheme-ascii' })),
        }),
        { maxLength: 40 },
      ),
      close: fc.boolean(),
    }),
    40,
  );
  const accounts: string[] = [];
  for (const { currency, moves, close } of histories) {
    const id = ids.next();
    accounts.push(id);
    const amount = (cents: number) => (currency === 'JPY' ? `${cents}` : (cents / 100).toFixed(2));
    const events = moves.map(({ cents, out, description }): NewEvent => {
      const event = moved(out ? 'MoneyWithdrawn' : 'MoneyDeposited', amount(cents), description);
      return { ...event, data: { ...event.data, currency } };
    });
    // More out than in: the read model has nothing against it, and neither has the replay.
    await writeAccount(on.log, id, created(id, 'alice', currency), ...events, ...(close ? [closed] : []));
  }
  const hub = new LoopbackHub();
  const runner = startProjector(on, accountSummary(hub));
  const head = await on.log.head();
  await vi.waitFor(
    async () => {
      const { rows } = await on.postgres.query<{ last_position: number }>(
        "SELECT projector_position('account-summary') AS last_position",
      );
      expect(rows[0]?.last_position).toBe(head);
    },
    { timeout: 20_000, interval: 20 },
  );
  await runner.stop();
  for (const id of accounts) {
    expect(await asOf(id, new Date())).toEqual(await on.commerce.account(alice, id));
  }
});
