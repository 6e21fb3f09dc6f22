import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { endpointOf } from './request-endpoint.js';

/** As requests name them. */
export interface Endpoints {
  /** Those whose rate limits are checked. */
  readonly gated: ReadonlySet<string>;
  /** Routes without a rate-limit check. */
  readonly open: ReadonlySet<string>;
}

/** Every root field, and every route that is added to `app` from now on. */
export function collectEndpoints(app: FastifyInstance, schema: GraphQLSchema): Endpoints {
  const gated = new Set<string>();
  const open = new Set<string>();
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.keys(type?.getFields() ?? {})) gated.add(`${type!.name}.${field}`);
  app.addHook('onRoute', ({ method, url, config }) => {
    const side = config?.gate === 'open' ? open : gated;
    for (const verb of [method].flat()) side.add(endpointOf(verb, url, url));
  });
  return { gated, open };
}
