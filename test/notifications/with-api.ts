import { Registry } from 'prom-client';
import { type Config, readConfig } from '../../src/config.js';
import type { RequestContext } from '../../src/context.js';
import type { FieldLimiter } from '../../src/domains/limits/index.js';
import type { Notifications } from '../../src/domains/notifications/index.js';
import { createEdge } from '../../src/edge/index.js';
import { registerNotificationRoutes } from '../../src/http/notifications.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import type { Clock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { createFieldCheck } from '../../src/schema/rate-limit-directive.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { silent } from './with-sandbox.js';

const secret = 'a secret of thirty-two characters';

/** Notifications' REST routes, links and GraphQL behind the real edge, on a port of its own. */
export interface ApiOnTest {
  readonly url: string;
  /** Masking, gate and all, as somebody who is signed in. */
  graphql(
    userId: string | null,
    query: string,
    variables?: Record<string, unknown>,
    ...roles: Role[]
  ): Promise<{ data: Record<string, Record<string, unknown>>; errors?: { extensions: { code: string } }[] }>;
  close(): Promise<void>;
}

/**
 * @param env besides the needed variables; BASE_URL is where the api then answers unless it says otherwise
 * @param fields counts what fields are asked for
 */
export async function openApi(
  notifications: Notifications,
  clock: Clock,
  env: Record<string, string> = {},
  fields: FieldLimiter = { consume: async () => null },
): Promise<ApiOnTest> {
  let url = '';
  const config: Config = {
    ...readConfig({
      DATABASE_URL: 'postgres://localhost/none',
      REDIS_URL: 'redis://localhost',
      AUTH_SECRET: secret,
      ...env,
    }),
    get baseUrl() {
      return url;
    },
  };
  const app = { notifications, config, clock, logger: silent };
  const schema = await buildApiSchema({ fields });
  const edge = await createEdge({
    schema,
    authenticator: createAuthenticator({ secret }, clock),
    createContext: (request) =>
      ({
        ...request,
        ip: request.ip,
        app,
        loaders: createLoaders(app as unknown as RequestContext['app'], request.viewer),
      }) as unknown as RequestContext,
    logger: silent,
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock,
    ids: uuidV7Ids(clock),
    async routes(fastify, openRequest) {
      await holdAnswersToDocument(fastify);
      await registerNotificationRoutes(fastify, {
        app,
        openRequest,
        checkField: createFieldCheck(schema, fields),
      });
    },
  });
  url = await edge.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async graphql(userId, query, variables = {}, ...roles) {
      const token =
        userId && (await signToken(secret, { userId, roles, plan: 'free', expiresInSeconds: 600 }));
      const answer = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ query, variables }),
      });
      return (await answer.json()) as Awaited<ReturnType<ApiOnTest['graphql']>>;
    },
    close: () => edge.close(),
  };
}
