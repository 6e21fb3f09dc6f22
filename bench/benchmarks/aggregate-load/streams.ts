/** A stream of one account and how it is loaded. */
export interface Stream {
  readonly accountId: string;
  readonly events: number;
}

/** Events after the last snapshot, which is kept at every hundredth position. */
const tail = 49;
/** Several of each, so that no one page of an index decides. */
const copies = 5;

const streamsOf = (name: string, upToSnapshot: number): readonly Stream[] =>
  Array.from({ length: copies }, (_, n) => ({ accountId: `${name}${n}`, events: upToSnapshot + 1 + tail }));

/** Of 10,050 and of 150 events; both have 49 after their last snapshot. */
export const streams = { long: streamsOf('long', 10_000), short: streamsOf('short', 100) } as const;

export type Length = keyof typeof streams;

const amountMinor = (n: number): number => 100 + (n % 900);

/** What an account of so many events holds: its creation, then deposits. In minor units. */
export function balanceOf({ events }: Stream): bigint {
  let balance = 0;
  for (let n = 1; n < events; n += 1) balance += amountMinor(n);
  return BigInt(balance);
}

/** The `n`th event of a stream, from 0, in the product's words. */
export function eventOf({ accountId }: Stream, n: number) {
  if (n === 0) {
    const data = { accountId, ownerId: 'bench', currency: 'USD', version: 1 as const };
    return { type: 'AccountCreated' as const, data };
  }
  const data = {
    amount: (amountMinor(n) / 100).toFixed(2),
    currency: 'USD',
    description: `deposit number ${n}`,
    transferId: null,
    version: 1 as const,
  };
  return { type: 'MoneyDeposited' as const, data };
}
