import { loadProduct } from '../../harness/product.ts';

/** What tokens are signed with. */
export const secret = 'a-secret-of-the-benchmark-with-32-bytes-or-more';

const { createAuthenticator } =
  await loadProduct<typeof import('../../../src/platform/auth.js')>('platform/auth.js');
const { systemClock } =
  await loadProduct<typeof import('../../../src/platform/clock.js')>('platform/clock.js');

/**
 * Every server, the peers too, verifies tokens by the product's own authenticator: it remembers tokens for a
 * while, and a race that only one may run with that would measure signatures, not servers.
 */
export const authenticator = createAuthenticator({ secret }, systemClock);

/** How a peer learns who calls; undefined without a token that holds. */
export async function viewerOf(authorization: string | null | undefined): Promise<string | undefined> {
  try {
    return (await authenticator.authenticate(authorization ?? undefined))?.userId;
  } catch {
    return undefined;
  }
}
