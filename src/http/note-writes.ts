import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { App } from '../context.js';
import type { OpenRequest } from '../edge/index.js';
import { GRAPHQL_PATH } from '../platform/gate.js';

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Nothing was changed: the request was refused before anything was looked at. */
const REFUSED = new Set([401, 403, 413, 415, 429]);

/**
 * Before a request that may have changed something is answered, what its caller reads next is made to include that, wherever
 * it is read. GraphQL says itself which operations change something.
 */
export function noteWrites(
  fastify: FastifyInstance,
  { app, openRequest }: { readonly app: Pick<App, 'replicas'>; readonly openRequest: OpenRequest },
): void {
  /** An answer that says that noting failed is sent through this hook, too. */
  const noted = new WeakSet<FastifyRequest>();
  fastify.addHook('onSend', async (request, reply) => {
    if (READS.has(request.method) || request.routeOptions.url === GRAPHQL_PATH) return;
    if (REFUSED.has(reply.statusCode) || noted.has(request)) return;
    noted.add(request);
    // A caller who is nobody has written nothing that a list shows.
    const opened = await openRequest(request, reply).catch(() => undefined);
    if (opened?.viewer) await app.replicas.noteWrite(opened.viewer.userId);
  });
}
