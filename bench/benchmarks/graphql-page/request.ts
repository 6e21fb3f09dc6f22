import type { LoadRequest } from '../../harness/load.ts';
import { loadProduct } from '../../harness/product.ts';
import { secret } from './viewer.ts';

const query = `query Page($first: Int!, $after: String) {
  feed(first: $first, after: $after) {
    edges {
      cursor
      node {
        id postId content createdAt
        author { userId displayName avatarUrl isVerified }
        likeCount commentCount shareCount mediaUrls
      }
    }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/** Where every server answers. */
export const path = '/graphql';

/** The body that is sent: one document, its variables beside it. */
export const body = JSON.stringify({ query, variables: { first: 20, after: '19' }, operationName: 'Page' });

/** The same page asked for by 64 people, each with a token of their own. */
export async function pageRequests(): Promise<LoadRequest[]> {
  const people = Array.from({ length: 64 }, (_, n) => `viewer-${n}`);
  return await Promise.all(
    people.map(async (viewer) => ({ path, headers: headersWith(await tokenOf(viewer)), body })),
  );
}

/** Headers of a request that carries `token`. */
export function headersWith(token?: string): Record<string, string> {
  const common = { 'content-type': 'application/json', accept: 'application/json' };
  return token === undefined ? common : { ...common, authorization: `Bearer ${token}` };
}

/** A token good for an hour; signed with another key than the servers' it is a forged one. */
export async function tokenOf(userId: string, key: string = secret): Promise<string> {
  const { signToken } =
    await loadProduct<typeof import('../../../src/platform/auth/auth.js')>('platform/auth/auth.js');
  return await signToken(key, { userId, roles: ['user'], plan: 'free', expiresInSeconds: 3600 });
}
