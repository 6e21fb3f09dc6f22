import type { Providers } from '../providers/index.js';
import { type Channel, kindsOf } from '../types.js';

/**
 * Milliseconds for which a channel has no provider to send by: until the first of its providers may be called again. What
 * waits stays in its mailbox, in order. 0 where one may be called now.
 */
export function channelPauseMs(providers: Providers, channel: Channel, now: number): number {
  const ends = kindsOf(channel).flatMap((kind) => {
    const provider = providers[kind];
    return provider ? [provider.pausedUntil?.() ?? null] : [];
  });
  if (ends.length === 0 || ends.includes(null)) return 0;
  return Math.max(0, Math.min(...ends.map(Number)) - now);
}
