import { createHash } from 'node:crypto';
import type { Redis } from './redis.js';

/**
 * Which life of which server a connection speaks to. A Redis that was restarted from disk, or a replica that was
 * promoted, may have lost writes that were acknowledged: what was written in an earlier epoch proves nothing.
 */
export interface RedisEpoch {
  /**
   * Asked once a connection; free afterwards. Who read something asks before and after: where the two differ, the
   * answer may have come from either.
   */
  current(): Promise<string>;
}

export function followEpoch(redis: Redis): RedisEpoch {
  let known: Promise<string> | undefined;
  redis.on('close', () => {
    known = undefined;
  });
  return {
    current() {
      if (known) return known;
      const asked = ask(redis);
      known = asked;
      asked.catch(() => {
        if (known === asked) known = undefined;
      });
      return asked;
    },
  };
}

/** The current epoch in 8 characters: it stands in every key, or before every entry. */
export function shortEpoch(epoch: RedisEpoch): () => Promise<string> {
  let last = { whole: '', short: '' };
  return async () => {
    const whole = await epoch.current();
    if (last.whole !== whole) last = { whole, short: shorten(whole) };
    return last.short;
  };
}

/** 8 characters that stand for a text. */
export const shorten = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 8);

/** The run id changes with every start, the replication id with every promotion. */
async function ask(redis: Redis): Promise<string> {
  const [server, replication] = await Promise.all([redis.info('server'), redis.info('replication')]);
  return `${field(server, 'run_id')}/${field(replication, 'master_replid')}`;
}

const field = (info: string, name: string): string =>
  new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1] ?? '';
