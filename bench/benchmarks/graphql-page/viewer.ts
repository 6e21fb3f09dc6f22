import type { Authenticator } from '../../../src/platform/auth/auth.js';
import { loadProduct } from '../../harness/product.ts';

/** What tokens are signed with. */
export const secret = 'a-secret-of-the-benchmark-with-32-bytes-or-more';

/**
 * Every server, the peers too, verifies tokens by the product's own authenticator: it remembers tokens for a
 * while, and a race that only one may run with that would measure signatures, not servers.
 */
export async function openAuthenticator(): Promise<Authenticator> {
  const { createAuthenticator } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  const { systemClock } =
    await loadProduct<typeof import('../../../src/platform/clock.js')>('platform/clock.js');
  return createAuthenticator({ secret }, systemClock);
}

/** Reads an `Authorization` header: who calls, undefined without a token that holds. */
export type ViewerOf = (authorization: string | null | undefined) => Promise<string | undefined>;

/** How a peer learns who calls. */
export async function openViewers(): Promise<ViewerOf> {
  const authenticator = await openAuthenticator();
  return async (authorization) => {
    try {
      return (await authenticator.authenticate(authorization ?? undefined))?.userId;
    } catch {
      return undefined;
    }
  };
}
