import type { Clock } from '../../../platform/clock.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import { type Failed, failed } from './failure.js';
import { describe } from './https-client.js';

/** A credential and how long it may be used. */
export interface FreshToken {
  readonly token: string;
  /** Seconds after which another is made. */
  readonly refreshAfter: number;
}

/** Why no token could be had; the message itself was not sent. */
export class TokenRefused extends Error {
  constructor(readonly failure: Failed) {
    super(failure.reason);
    this.name = 'TokenRefused';
  }
}

/**
 * Signs with the key of a variable of the environment.
 *
 * @throws TokenRefused where it cannot
 */
export async function signWith(variable: string, sign: () => Promise<string>): Promise<string> {
  try {
    return await sign();
  } catch (error) {
    throw new TokenRefused(failed('CREDENTIALS_REFUSED', `${variable} cannot sign: ${describe(error)}`));
  }
}

export interface TokenCache {
  /** The token; concurrent callers share one making. Rejects as `make` does, and the next call tries again. */
  get(): Promise<string>;
  /** Forgets `token` because the provider refused it; a newer one stays. */
  drop(token: string): void;
}

/** Keeps a provider's token and makes another when its time has come by `clock`. */
export function cacheToken(clock: Clock, make: () => Promise<FreshToken>): TokenCache {
  let kept: { token: string; until: number } | undefined;
  let making: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const startedAt = clock.now();
    const fresh = await make();
    kept = { token: fresh.token, until: startedAt + fresh.refreshAfter * 1000 };
    return fresh.token;
  }

  return {
    get() {
      if (kept && clock.now() < kept.until) return Promise.resolve(kept.token);
      making ??= forEverybody(renew).finally(() => {
        making = undefined;
      });
      return making;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}
