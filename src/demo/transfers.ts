import { minorUnitsOf } from '../domains/commerce/money.js';
import type { DemoAccount } from './accounts.js';
import type { Happening } from './happening.js';
import { FRIENDS } from './people.js';
import { seededRandom } from './random.js';
import { DAY, HOUR } from './rhythm.js';
import { compensated, completed, type DemoTransfer, refused } from './transfer-events.js';

export const COMPLETED_TRANSFERS = 40;
const AMONG_FRIENDS = 12;
const DESCRIPTIONS = [
  'Rent share',
  'Dinner last night',
  'Concert tickets',
  'Birthday present',
  'Train tickets',
  'Holiday fund',
  'Thank you!',
  null,
];

/** What an account gets and gives, in order, but for what came by transfers. Minor units. */
type Purse = { readonly at: number; readonly minor: number }[];

/**
 * Transfers among accounts of one currency: 40 that arrived, one that the source could not give, and one that came back
 * since its target was closed meanwhile. No account spends what came by a transfer: whichever of them is left out, no
 * balance falls below zero.
 */
export function makeTransfers(accounts: readonly DemoAccount[], now: number): readonly Happening[] {
  const random = seededRandom(10);
  const purses = new Map(accounts.map((account) => [account, purseOf(account)]));
  const friends = accounts.slice(0, FRIENDS.length);
  const closing = accounts.slice(FRIENDS.length).reduce((a, b) => (lastUsed(b) < lastUsed(a) ? b : a));
  const open = accounts.filter((account) => account !== closing);

  const made: DemoTransfer[] = [];
  while (made.length < COMPLETED_TRANSFERS) {
    const among = made.length < AMONG_FRIENDS ? friends : open;
    const transfer = draw(random.pick(among), random.pick(among), 0);
    if (transfer) made.push(transfer);
  }
  let returned: DemoTransfer | undefined;
  while (!returned) returned = draw(random.pick(open), closing, lastUsed(closing) + 1);
  const impossible: DemoTransfer = {
    from: accounts[0]!,
    to: accounts[1]!,
    minor: 5_000_000n,
    description: 'A small house',
    at: now - 3 * DAY,
  };
  return [
    ...made.sort((a, b) => a.at - b.at).flatMap((transfer, index) => completed(transfer, index + 1)),
    ...refused(impossible, COMPLETED_TRANSFERS + 1),
    ...compensated(returned, COMPLETED_TRANSFERS + 2),
  ];

  /** Undefined where these two cannot. */
  function draw(from: DemoAccount, to: DemoAccount, notBefore: number): DemoTransfer | undefined {
    const earliest = Math.max(firstUsed(from), firstUsed(to), notBefore);
    const at = earliest + Math.floor(random.next() * (now - HOUR - earliest));
    const purse = purses.get(from)!;
    // Never more than what is left after all that its owner does later.
    const minor = Math.floor((leastFrom(purse, at) * (0.05 + 0.4 * random.next())) / 50) * 50;
    const description = random.pick(DESCRIPTIONS);
    const isPossible = from !== to && from.currency === to.currency && at >= earliest && minor > 0;
    if (!isPossible) return undefined;
    purse.push({ at, minor: -minor });
    purse.sort((a, b) => a.at - b.at);
    return { from, to, minor: BigInt(minor), description, at };
  }
}

const firstUsed = ({ history }: DemoAccount): number => history[0]!.at;
const lastUsed = ({ history }: DemoAccount): number => history.at(-1)!.at;

const purseOf = ({ history, currency }: DemoAccount): Purse =>
  history.flatMap(({ at, event }) => {
    if (event.type !== 'MoneyDeposited' && event.type !== 'MoneyWithdrawn') return [];
    const minor = Number(minorUnitsOf(event.data.amount, currency));
    return { at, minor: event.type === 'MoneyDeposited' ? minor : -minor };
  });

/** The lowest balance at that time or later. */
function leastFrom(purse: Purse, time: number): number {
  let balance = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const { at, minor } of purse) {
    if (at >= time) least = Math.min(least, balance);
    balance += minor;
  }
  return Math.min(least, balance);
}
