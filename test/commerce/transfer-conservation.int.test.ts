import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAccountEvent } from '../../src/domains/commerce/account/events.js';
import { minorUnitsOf } from '../../src/domains/commerce/money.js';
import { readTransferEvent } from '../../src/domains/commerce/transfer/events.js';
import { alice, codesOf, dyingCommerce, onTransfers } from './transfer-world.js';
import { type CommerceOnTest, joinCommerce, openCommerce } from './with-commerce.js';

const ACCOUNTS = 4;
let on: CommerceOnTest;
let elsewhere: CommerceOnTest;
let world: ReturnType<typeof onTransfers>;

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
  world = onTransfers(on);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});

const which = fc.nat({ max: ACCOUNTS - 1 });
const cents = fc.integer({ min: 1, max: 1_200 }).map((minor) => (minor / 100).toFixed(2));
const deed = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('deposit', 'withdraw'), of: which, amount: cents }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('transfer'), of: which, to: which, amount: cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close'), of: which }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('advance'), pick: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('die'),
      pick: fc.nat(),
      at: fc.integer({ min: 1, max: 2 }),
      when: fc.constantFrom('before' as const, 'after' as const),
    }),
  },
);
type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

/** What may be said to whoever asks for one of these; anything else is a fault. */
const expected =
  /^(CONFLICT|(INSUFFICIENT_FUNDS|ACCOUNT_CLOSED|ACCOUNT_NOT_EMPTY|TRANSFER_TO_SELF|TRANSFERS_PENDING) input \w+)$/;

/** One process doing its deeds, several at a time. */
async function work(
  process: CommerceOnTest,
  deeds: readonly Deed[],
  accounts: readonly string[],
  started: string[],
): Promise<void> {
  const queue = [...deeds];
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      await perform(process, next, accounts, started);
  };
  await Promise.all([lane(), lane(), lane()]);
}

async function perform(
  { commerce, ...process }: CommerceOnTest,
  deed: Deed,
  accounts: readonly string[],
  started: string[],
): Promise<void> {
  const accountId = 'of' in deed ? accounts[deed.of]! : '';
  const transferId = 'pick' in deed ? started[deed.pick % started.length] : undefined;
  const said = async (): Promise<readonly string[]> => {
    if ('to' in deed) {
      const input = { fromAccountId: accountId, toAccountId: accounts[deed.to]!, amount: deed.amount };
      const result = await commerce.transferMoney(alice, input);
      if (result.ok) started.push(result.value.aggregateId);
      return codesOf(result);
    }
    if ('amount' in deed) {
      const move = deed.kind === 'deposit' ? commerce.deposit : commerce.withdraw;
      return codesOf(await move(alice, { accountId, amount: deed.amount }));
    }
    if ('of' in deed) return codesOf(await commerce.closeAccount(alice, { accountId }));
    if (transferId !== undefined) {
      const worker = 'at' in deed ? dyingCommerce({ commerce, ...process }, deed.at, deed.when) : commerce;
      await worker.advanceTransfer(transferId).catch((error: Error) => {
        expect(error.message).toMatch(/^killed$|CONFLICT/);
      });
    }
    return [];
  };
  for (const code of await said()) expect(code).toMatch(expected);
}

/**
 * Reads the accounts' money from the whole log, as it was after every decision: balances, and what was on its way.
 *
 * @returns the balances at the end, in minor units
 */
async function audit(from: number, accounts: readonly string[]): Promise<number[]> {
  const { events } = await on.log.readAll(from, 100_000);
  const balances = new Map<string, number>(accounts.map((id) => [`Account-${id}`, 0]));
  const inFlight = new Map<string, number>();
  let brought = 0;
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
  for (const event of events) {
    if (event.streamId.startsWith('Transfer-')) {
      const { type, data } = readTransferEvent(event);
      if (type === 'TransferDebited') inFlight.set(data.transferId, Number(minorUnitsOf(data.amount, 'USD')));
      else inFlight.delete(data.transferId);
      expect(sum(balances.values()) + sum(inFlight.values())).toBe(brought);
      continue;
    }
    const { type, data } = readAccountEvent(event);
    if (type !== 'MoneyDeposited' && type !== 'MoneyWithdrawn') continue;
    const minor = Number(minorUnitsOf(data.amount, 'USD')) * (type === 'MoneyDeposited' ? 1 : -1);
    const balance = balances.get(event.streamId)! + minor;
    expect(balance).toBeGreaterThanOrEqual(0);
    balances.set(event.streamId, balance);
    if (data.transferId === null) brought += minor;
  }
  expect(inFlight.size).toBe(0);
  expect(sum(balances.values())).toBe(brought);
  return [...balances.values()];
}

it('whatever two processes do, and whenever they die: no cent is lost or made, and every transfer ends once', async () => {
  const deeds = fc.array(deed, { minLength: 10, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(deeds, deeds, async (here, there) => {
      const from = await on.log.head();
      const started: string[] = [];
      const accounts = await Promise.all(
        Array.from({ length: ACCOUNTS }, (_, n) => world.newAccount(n % 2 ? '20' : '5')),
      );
      await Promise.all([work(on, here, accounts, started), work(elsewhere, there, accounts, started)]);
      for (const transferId of started) await on.commerce.advanceTransfer(transferId);

      expect(await world.pending()).toEqual([]);
      for (const transferId of started) {
        expect((await world.storyOf(transferId)).join(' ')).toMatch(
          /^Started (Debited (Completed|Compensated)|Refused)$/,
        );
      }
      const balances = await audit(from, accounts);
      expect((await Promise.all(accounts.map(world.balanceOf))).map((text) => minorUnits(text))).toEqual(
        balances,
      );
    }),
    { numRuns: 25 },
  );
}, 180_000);

const minorUnits = (text: string): number => Math.round(Number(text) * 100);
