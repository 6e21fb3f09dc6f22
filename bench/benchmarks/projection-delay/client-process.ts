import { answerParent } from '../../harness/answer-parent.ts';
import { atPace, type Pace } from '../../harness/pace.ts';
import { accountIds, amountMinor, type Bank, type Place } from './banks/bank.ts';
import { type BankName, banks } from './banks/index.ts';

/** What the process that pays in and reads does for the benchmark. */
export type ClientMethods = typeof methods;

/** How long each measured deposit took; entries of one index are of one deposit. */
export interface Delays {
  /** From just before the deposit until a reader had it. */
  readonly visibleMs: Float64Array;
  /** The part of it until the deposit was acknowledged. */
  readonly acknowledgedMs: Float64Array;
  readonly lateMs: Float64Array;
}

let bank: Bank | undefined;

const methods = {
  found: async (name: BankName, place: Place): Promise<void> => banks[name].found(place),

  async open(name: BankName, place: Place): Promise<void> {
    bank = await banks[name].open(place);
  },

  /** @throws where a reader got an older state than he waited for, or balances are not what was paid in */
  async run(pace: Pace): Promise<Delays> {
    if (!bank) throw new Error('no bank is open');
    const open = bank;
    const before = await Promise.all(accountIds.map((accountId) => open.read(accountId)));
    const { steps, done, lateMs } = await atPace(pace, (n) => depositAndRead(open, accountOf(n)));
    const after = await Promise.all(accountIds.map((accountId) => open.read(accountId)));
    accountIds.forEach((accountId, n) => {
      const deposits = Math.ceil((done - n) / accountIds.length);
      const added = (after[n]?.minorUnits ?? 0) - (before[n]?.minorUnits ?? 0);
      const versions = (after[n]?.version ?? 0) - (before[n]?.version ?? 0);
      if (added !== deposits * amountMinor || versions !== deposits) {
        throw new Error(`${accountId} got ${deposits} deposits and shows ${versions}, ${added} in all`);
      }
    });
    return {
      visibleMs: Float64Array.from(steps, ({ visible }) => visible),
      acknowledgedMs: Float64Array.from(steps, ({ acknowledged }) => acknowledged),
      lateMs: Float64Array.from(lateMs),
    };
  },

  async close(): Promise<void> {
    await bank?.close();
    bank = undefined;
  },
};

const accountOf = (n: number): string => accountIds[n % accountIds.length] ?? '';

async function depositAndRead(open: Bank, accountId: string) {
  const startedAt = performance.now();
  const version = await open.deposit(accountId);
  const acknowledged = performance.now() - startedAt;
  const balance = await open.readAt(accountId, version);
  const visible = performance.now() - startedAt;
  if (balance.version < version)
    throw new Error(`${accountId} was read at ${balance.version}, not ${version}`);
  return { acknowledged, visible };
}

answerParent(methods);
