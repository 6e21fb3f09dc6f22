import { LRUCache } from 'lru-cache';
import { groupCommit } from '../../../platform/group-commit.js';
import { createLookBack, type LookBack } from '../../../platform/look-back.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './relay.sql.js';

/** Webhooks of which a process remembers how far back it has looked. */
const REMEMBERED = 10_000;
const PROBES_A_CALL = 1_000;
const RECORDS_A_CALL = 100;

/** Where a webhook's events go, as long as it is active and not paused. */
export type Receiver = RowOf<typeof statements.receiver>;
/** How often in a row it was paused, and since when it takes nothing. */
export type FailureState = RowOf<typeof statements.failureState>;
/** A subject that this process may send the next events of. */
export type Claimed = RowOf<typeof statements.claim>;
export type NextEvent = RowOf<typeof statements.waiting>;

/** How an attempt ended. */
export interface Attempt {
  readonly deliveryId: string;
  readonly isTaken: boolean;
  readonly status: number | null;
  readonly answer: string | null;
  readonly error: string | null;
  readonly nextMs: number | null;
}

/** What is left of a subject. */
export interface Left {
  readonly subject: string;
  /** Set where nothing is left: the subject's `additions` when it was claimed. */
  readonly additions: number | null;
  /** When the next event may be sent. */
  readonly dueMs: number;
  readonly attempts: number;
  readonly failingSince: Date | null;
}

/** The relay's statements. */
export function createRelayStore(postgres: Queryable) {
  const [claims, probes] = [rememberLooks(), rememberLooks()];
  const probe = groupCommit({
    async commit(asked: readonly { readonly webhookId: string; readonly backMs: number | null }[]) {
      const { rows } = await postgres.query(statements.due, [
        asked.map(({ webhookId }) => webhookId),
        asked.map(({ backMs }) => backMs),
      ]);
      const due = new Set(rows.map(({ webhookId }) => webhookId));
      return asked.map(({ webhookId }) => due.has(webhookId));
    },
    maxItems: PROBES_A_CALL,
  });
  return {
    /** Active webhooks in the order of their ids. */
    active: async (after: string, limit: number) =>
      (await postgres.query(statements.active, [after, limit])).rows,
    /** Whether an event is due for a webhook. */
    isDue: (webhookId: string): Promise<boolean> =>
      probes(webhookId).look(
        (backMs) => probe({ webhookId, backMs }),
        (isDue) => !isDue,
      ),
    receiver: async (webhookId: string): Promise<Receiver | undefined> =>
      (await postgres.query(statements.receiver, [webhookId])).rows[0],
    claim: (webhookId: string, limit: number, leaseMs: number, token: string) =>
      claims(webhookId).look<readonly Claimed[]>(
        async (backMs) =>
          (await postgres.query(statements.claim, [webhookId, limit, backMs, leaseMs, token])).rows,
        (claimed) => claimed.length < limit,
      ),
    /** The next events of subjects, by subject, in order. */
    async waiting(webhookId: string, subjects: readonly string[], limit: number) {
      const { rows } = await postgres.query(statements.waiting, [webhookId, subjects, limit]);
      return Map.groupBy(rows, ({ subject }) => subject);
    },
    record: groupCommit({
      async commit(all: readonly Attempt[]) {
        await postgres.query(statements.record, [
          all.map(({ deliveryId }) => deliveryId),
          all.map(({ isTaken }) => isTaken),
          all.map(({ status }) => status),
          all.map(({ answer }) => answer),
          all.map(({ error }) => error),
          all.map(({ nextMs }) => nextMs),
        ]);
        return all.map(() => undefined);
      },
      maxItems: RECORDS_A_CALL,
      // A delivery that is sent by two workers at once has two outcomes.
      keyOf: ({ deliveryId }) => deliveryId,
      callsAtOnce: 2,
    }),
    /** Ends leases of one token, each with what is left of its subject. */
    settling: (webhookId: string, token: string) =>
      groupCommit({
        async commit(all: readonly Left[]) {
          await postgres.query(statements.settle, [
            webhookId,
            token,
            all.map(({ subject }) => subject),
            all.map(({ additions }) => additions),
            all.map(({ dueMs }) => dueMs),
            all.map(({ attempts }) => attempts),
            all.map(({ failingSince }) => failingSince),
          ]);
          return all.map(() => undefined);
        },
        maxItems: RECORDS_A_CALL,
      }),
    /** What a webhook's failures come to now; nothing where somebody has switched it off or on since `receiver` was read, or changed its URL. */
    async failureState({ webhookId, activeSince }: Receiver): Promise<FailureState | undefined> {
      return (await postgres.query(statements.failureState, [webhookId, activeSince])).rows[0];
    },
    /** One that was paused meanwhile, or has taken something, stays as it is. */
    pause: ({ webhookId, activeSince, pauses }: Receiver, ms: number, now: Date) =>
      postgres.query(statements.pause, [webhookId, ms, now, activeSince, pauses]),
    goOn: ({ webhookId, activeSince }: Receiver) => postgres.query(statements.goOn, [webhookId, activeSince]),
  };
}

export type RelayStore = ReturnType<typeof createRelayStore>;

/** How far back each webhook's subjects were looked at. */
function rememberLooks(): (webhookId: string) => LookBack {
  const known = new LRUCache<string, LookBack>({
    max: REMEMBERED,
    memoMethod: () => createLookBack(),
  });
  return (webhookId) => known.memo(webhookId);
}
