import { Registry } from 'prom-client';
import type { RequestContext } from '../../src/context.js';
import { createEdge } from '../../src/edge/index.js';
import { registerFeedRoutes } from '../../src/http/feed.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { openFeedWorld, silent } from './feed-world.js';
import { reading } from './read-world.js';

const secret = 'a secret of thirty-two characters';

/** When the first of Ben's posts was published. */
export const start = Date.now() - 3_600_000;

export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: what a query answers depends on the query
  readonly data: any;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

export const FEED = `query ($first: Int, $after: String, $last: Int, $before: String, $order: FeedOrder! = LATEST) {
  feed(first: $first, after: $after, last: $last, before: $before, order: $order) {
    edges { cursor isSponsored node { postId } why { source score terms { name weight value } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    readMarker newerThanReadMarker
  }
}`;

export type FeedApi = Awaited<ReturnType<typeof openFeedApi>>;

/** The feed over GraphQL and REST, on a world of its own: Ann follows Ben, who has published thirty posts. */
export async function openFeedApi() {
  const world = await openFeedWorld();
  const read = reading(world);
  const app = { feed: world.feed } as RequestContext['app'];
  const edge = await createEdge({
    schema: await buildApiSchema(),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) =>
      ({ ...request, app, loaders: createLoaders(app, request.viewer) }) as unknown as RequestContext,
    logger: silent,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    async routes(fastify, openRequest) {
      await holdAnswersToDocument(fastify);
      registerFeedRoutes(fastify, { app, openRequest });
    },
  });
  const url = await edge.listen({ host: '127.0.0.1', port: 0 });
  await read.signIn('ann', 'ben', 'shop');
  await read.follow('ann', 'ben');
  const times = Array.from({ length: 30 }, (_, i) => start + i * 1000);
  const posts = (await read.insert('ben', times)).toReversed();

  const bearer = async (userId: string, ...roles: Role[]) =>
    `Bearer ${await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 })}`;

  async function ask(userId: string, query: string, variables = {}, ...roles: Role[]): Promise<Answer> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await bearer(userId, ...roles) },
      body: JSON.stringify({ query, variables }),
    });
    return (await response.json()) as Answer;
  }

  async function get(path: string, userId?: string) {
    const headers = userId ? { authorization: await bearer(userId) } : {};
    const response = await fetch(`${url}/api/v1/feed${path}`, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: the document's response, or an error
    return { status: response.status, body: (await response.json()) as any };
  }

  return {
    world,
    read,
    /** The newest first. */
    posts,
    ask,
    get,
    async close(): Promise<void> {
      await edge.close();
      await world.close();
    },
  };
}
