import type { AccountEvent } from '../domains/commerce/account/events.js';
import { digitsOf, formatAmount } from '../domains/commerce/money.js';
import { FRIENDS, type Person } from './people.js';
import { type Random, seededRandom } from './random.js';
import { DAY } from './rhythm.js';

/** An account with all of its events except those of transfers. */
export interface DemoAccount {
  readonly accountId: string;
  readonly ownerId: string;
  readonly currency: string;
  /** In order; `at` is milliseconds since the epoch and never falls. */
  readonly history: readonly { readonly at: number; readonly event: AccountEvent }[];
}

export const ACCOUNTS = 200;
const CURRENCIES = ['USD', 'USD', 'EUR', 'EUR', 'JPY'];
/** An amount that would be a few dollars is about this many of the currency's whole units. */
const SCALE: Readonly<Record<string, number>> = { USD: 1, EUR: 1, JPY: 150 };
const INCOMES = ['Salary', 'Refund', 'Freelance invoice', 'Birthday money', 'Rent share', 'Sold my old bike'];
const EXPENSES = [
  'Groceries',
  'Rent',
  'Train tickets',
  'Electricity',
  'Dinner with friends',
  'Concert tickets',
  'Running shoes',
  'Phone bill',
  'Bookshop',
  'Coffee',
];

/** One account for each of the friends and of the people after them; 5 to 30 movements each, never below zero. */
export function makeAccounts(people: readonly Person[], now: number): readonly DemoAccount[] {
  const random = seededRandom(5);
  return people.slice(0, ACCOUNTS).map(({ userId: ownerId }, index): DemoAccount => {
    const currency = index < FRIENDS.length ? 'USD' : random.pick(CURRENCIES);
    const accountId = `acc-${ownerId}`;
    const events: AccountEvent[] = [
      { type: 'AccountCreated', data: { accountId, ownerId, currency, version: 1 } },
      ...movements(currency, random),
    ];
    const opened = now - random.int(30, 90) * DAY;
    const times = events.map(() => opened + Math.floor(random.next() * (now - opened))).sort((a, b) => a - b);
    return { accountId, ownerId, currency, history: events.map((event, n) => ({ at: times[n]!, event })) };
  });
}

function* movements(currency: string, random: Random): Iterable<AccountEvent> {
  let balance = 0;
  for (let left = random.int(5, 30); left > 0; left -= 1) {
    const spends = balance > 0 && random.chance(0.65);
    const minor = amount(spends ? 4 : 400, spends ? 180 : 2_400, currency, random);
    if (spends && minor <= balance) {
      balance -= minor;
      yield { type: 'MoneyWithdrawn', data: movement(minor, currency, random.pick(EXPENSES)) };
    } else {
      balance += minor;
      yield { type: 'MoneyDeposited', data: movement(minor, currency, random.pick(INCOMES)) };
    }
  }
}

/** In minor units. */
const amount = (low: number, high: number, currency: string, random: Random): number =>
  Math.round((low + random.next() ** 2 * (high - low)) * SCALE[currency]! * 10 ** digitsOf(currency));

const movement = (minor: number, currency: string, description: string) => ({
  amount: formatAmount(BigInt(minor), currency),
  currency,
  description,
  transferId: null,
  version: 1 as const,
});
