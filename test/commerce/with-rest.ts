import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createEdge } from '../../src/edge/index.js';
import { registerCommerceRoutes } from '../../src/http/commerce.js';
import { createAuthenticator, type Role, signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { createFieldCheck } from '../../src/schema/rate-limit-directive.js';
import { holdAnswersToDocument } from '../support/documented-answers.js';
import { LoopbackHub } from './loopback-hub.js';
import { type CommerceOnTest, ids, openCommerce, startProjector } from './with-commerce.js';

const secret = 'a secret of thirty-two characters';

/** Somebody who speaks REST. */
export interface RestClient {
  /** A body of text goes as it is, as JSON. */
  post(path: string, body: object | string, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  /** What the answer's headers say of limits. */
  readonly limits: Record<string, unknown>;
  readonly type: string;
  readonly text: string;
  /** The text, read as JSON. */
  readonly body: unknown;
}

export interface RestOnTest {
  readonly on: CommerceOnTest;
  as(userId: string, ...roles: Role[]): Promise<RestClient>;
  readonly anonymous: RestClient;
  /** The fields whose limits were asked, and the milliseconds that they make the next caller wait. */
  readonly fields: { readonly asked: string[]; waitMs: number | null };
  close(): Promise<void>;
}

/** Commerce's REST routes on a database of their own, with every read model kept. */
export async function openRest(): Promise<RestOnTest> {
  const on = await openCommerce();
  const hub = new LoopbackHub();
  const projecting = createCommerceReadModels({ wakeUps: hub }).map((projector) =>
    startProjector(on, projector),
  );
  const fields: RestOnTest['fields'] = { asked: [], waitMs: null };
  const checkField = createFieldCheck(await buildApiSchema(), {
    consume: async ({ field, owner }) => {
      fields.asked.push(`${field} ${owner}`);
      return fields.waitMs;
    },
  });
  const { app, close } = await createEdge({
    schema: buildSchema('type Query { ok: Boolean }'),
    authenticator: createAuthenticator({ secret }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: false,
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids,
    async routes(app, openRequest) {
      await holdAnswersToDocument(app);
      registerCommerceRoutes(app, {
        ...{ commerce: on.commerce, hub, clock: systemClock },
        ...{ openRequest, checkField },
      });
    },
  });

  function clientWith(headers: Record<string, string>): RestClient {
    const ask = async (
      request: { method: 'GET' | 'POST'; url: string; payload?: object | string },
      more = {},
    ) => {
      const type = typeof request.payload === 'string' && { 'content-type': 'application/json' };
      const answer = await app.inject({ ...request, headers: { ...headers, ...type, ...more } });
      const answered = String(answer.headers['content-type']);
      const { statusCode: status, headers: shown, body: text } = answer;
      const limits = Object.fromEntries(
        Object.entries(shown).filter(([name]) => /ratelimit|retry-after/.test(name)),
      );
      return { status, limits, type: answered, text, body: answer.json() };
    };
    return {
      post: (path, payload, more) => ask({ method: 'POST', url: `/api/${path}`, payload }, more),
      get: (path) => ask({ method: 'GET', url: `/api/${path}` }),
    };
  }

  return {
    on,
    async as(userId, ...roles) {
      const token = await signToken(secret, {
        userId,
        roles: ['user', ...roles],
        plan: 'free',
        expiresInSeconds: 600,
      });
      return clientWith({ authorization: `Bearer ${token}` });
    },
    anonymous: clientWith({}),
    fields,
    async close() {
      await close();
      await Promise.all(projecting.map((one) => one.stop()));
      await on.close();
    },
  };
}
