import type { Look, MissedWritesLog } from '../cache/missed-writes.js';
import { WrongServer } from './redis-epoch.js';

/** An epoch that was not accepted is offered again after this: Postgres may have been restored. */
const OFFER_EVERY_MS = 10_000;
/** Processes say that they use the accepted server when nobody has said so for this long. */
const NOTE_USE_AFTER_MS = 2_000;
/** A server that nobody has used for this long gives way to one that was left for it. Connections are made anew earlier. */
const UNUSED_AFTER_MS = 10_000;

/**
 * This process's part in which of several servers caches are answered from: the newest of them that is used.
 *
 * @param now milliseconds that only ever grow; clocks of hosts are not compared
 */
export function followAcceptedServer(
  missed: Pick<MissedWritesLog, 'acceptEpoch' | 'noteUse'>,
  now: () => number,
) {
  let offered = { epoch: '', at: 0 };
  /** It was not used since. */
  let seen: { readonly look: Look; readonly since: number } | undefined;

  const isUnusedFor = (ms: number): boolean => seen !== undefined && now() - seen.since >= ms;

  return {
    /** What Postgres says of it; undefined where it did not answer, and somebody may use a server unseen. */
    saw(look: Look | undefined): void {
      if (!look) seen = undefined;
      else if (seen?.look.epoch !== look.epoch || seen.look.uses !== look.uses) seen = { look, since: now() };
    },

    /** This process has written to it. */
    use(): void {
      // Where it fails, the next renewal says so.
      if (isUnusedFor(NOTE_USE_AFTER_MS)) void missed.noteUse(seen!.look).catch(() => undefined);
    },

    /**
     * This process has written to one of another epoch, which is the accepted one from now on if it is newer, or if
     * nobody uses the accepted one. Others see that when they look.
     *
     * @throws WrongServer where it was left for the accepted one
     */
    async offer(epoch: string): Promise<void> {
      const unused = isUnusedFor(UNUSED_AFTER_MS) ? seen!.look : undefined;
      if (!unused && offered.epoch === epoch && now() - offered.at < OFFER_EVERY_MS)
        throw new WrongServer('other processes have written to another Redis since');
      offered = { epoch, at: now() };
      await missed.acceptEpoch(epoch, unused).catch((error: unknown) => {
        offered = { epoch: '', at: 0 };
        throw error;
      });
    },
  };
}
