import { Registry } from 'prom-client';
import type { RequestContext } from '../../src/context.js';
import { createEdge } from '../../src/edge/index.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { openFeedWorld } from './feed-world.js';

const secret = 'a secret of thirty-two characters';
const logger = createLogger('graph test', 'silent');

interface Answer {
  readonly data: Record<string, unknown> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

export type GraphApi = Awaited<ReturnType<typeof openGraphApi>>;

/** The feed's GraphQL on a world of its own, with three people. */
export async function openGraphApi() {
  const world = await openFeedWorld();
  for (const userId of ['ann', 'ben', 'cat']) await world.feed.signIn(userId);
  const app = { feed: world.feed, clock: systemClock, logger } as unknown as RequestContext['app'];
  const edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) =>
      ({ ...request, app, loaders: createLoaders(app, request.viewer) }) as unknown as RequestContext,
    logger,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
  });
  const url = await edge.listen({ host: '127.0.0.1', port: 0 });

  async function ask(
    userId: string | null,
    query: string,
    variables: object = {},
    ...roles: Role[]
  ): Promise<Answer> {
    const token = userId && (await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 }));
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    return (await answer.json()) as Answer;
  }

  const change = (userId: string, mutation: string, other: string) =>
    ask(
      userId,
      `mutation ($userId: ID!) {
        ${mutation}(input: { userId: $userId }) {
          user { userId viewerFollows followsViewer viewerMutes viewerBlocks followerCount }
          userErrors { code path }
        }
      }`,
      { userId: other },
    );

  return {
    feed: world.feed,
    ask,
    change,
    async close(): Promise<void> {
      await edge.close();
      await world.close();
    },
  };
}
