import { z } from 'zod';
import { PublicError } from '../../platform/errors.js';
import type { EventLog } from '../../platform/event-log/index.js';
import { decodeCursor } from '../../platform/paging.js';
import { listenUntil } from '../../platform/wake-ups/listen-until.js';
import type { WakeUpHub } from '../../platform/wake-ups/wake-ups.js';

/** A follower who missed more events than this reads anew. */
const MOST_BEHIND = 1_000;
/** How often the read model is asked, in case a wake-up was lost. */
const POLL_MS = 30_000;

/** What following something live works with. */
export type FollowLog = Pick<EventLog, 'readStream'>;
export type FollowHub = Pick<WakeUpHub, 'listen'>;

const woken = z.object({ version: z.int() });

/**
 * The version that the read model has of something, at once; then each newer one that it reaches, as far as somebody
 * asks for it; until `signal` aborts or the hub closes. A version comes only once queries see it.
 *
 * @param of.topic gets a wake-up when the read model has changed
 * @param of.readVersion -1 where the read model has nothing yet
 */
export async function* versionsReached(
  hub: Pick<WakeUpHub, 'listen'>,
  of: { readonly topic: string; readVersion(): Promise<number> },
  signal: AbortSignal,
  pollMs = POLL_MS,
): AsyncGenerator<number> {
  // Listening comes first, so that what happens between reading and waiting is heard.
  const listener = await listenUntil(hub, of.topic, signal);
  let open = !signal.aborted;
  let unsure = true;
  let reached = -1;
  let wake = (): void => undefined;
  const poll = setInterval(doubt, pollMs).unref();
  void hear();
  try {
    for (let last = -2; open; ) {
      if (unsure) {
        unsure = false;
        reached = Math.max(reached, await of.readVersion());
      }
      if (reached > last && open) {
        last = reached;
        yield last;
      } else if (open && !unsure) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearInterval(poll);
    listener.close();
  }

  function doubt(): void {
    unsure = true;
    wake();
  }

  async function hear(): Promise<void> {
    for (let heard = await listener.next(); heard; heard = await listener.next()) {
      const news = heard.kind === 'woken' ? woken.safeParse(heard.payload) : undefined;
      if (news?.success) reached = Math.max(reached, news.data.version);
      else unsure = true;
      wake();
    }
    open = false;
    wake();
  }
}

/**
 * The version that a cursor names; null for no cursor.
 *
 * @throws PublicError BAD_CURSOR for another thing's too
 */
export function readFollowCursor(cursor: string | null, id: string): number | null {
  const parts = decodeCursor(cursor, z.tuple([z.literal(id), z.int32().nonnegative()]));
  return parts?.[1] ?? null;
}

/**
 * The version after which updates begin: the cursor's, or that of the moment.
 *
 * @throws PublicError CURSOR_EXPIRED; BAD_CURSOR for a version that was never sent
 */
export function beginAfter(cursor: number | null, reached: number): number {
  if (cursor === null) return reached;
  if (cursor > reached) throw new PublicError('BAD_CURSOR', 'This cursor is not one that this field gave');
  if (reached - cursor > MOST_BEHIND) {
    throw new PublicError('CURSOR_EXPIRED', 'Too much has happened since this cursor: read anew');
  }
  return cursor;
}
