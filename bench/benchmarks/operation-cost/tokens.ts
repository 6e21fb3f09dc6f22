import { loadProduct } from '../../harness/product.ts';
import { productEnvironment } from '../../harness/product-app.ts';

const tokens = new Map<string, Promise<string>>();

/** One token for each user, good for an hour. */
export function tokenFor(userId: string, role: 'user' | 'producer'): Promise<string> {
  const known = tokens.get(userId);
  if (known) return known;
  const made = sign(userId, role);
  tokens.set(userId, made);
  return made;
}

async function sign(userId: string, role: 'user' | 'producer'): Promise<string> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  const { AUTH_SECRET = '' } = productEnvironment('', '');
  return signToken(AUTH_SECRET, { userId, roles: [role], plan: 'enterprise', expiresInSeconds: 3_600 });
}
