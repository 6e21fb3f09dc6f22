import type { FastifyInstance } from 'fastify';
import type { OpenRequest } from '../edge/index.js';
import { type Caller, callerOf, mayProduce } from '../platform/auth/caller.js';
import { PublicError } from '../platform/errors.js';
import type { RestDocument } from './rest-document.js';

/**
 * The caller of a route, who may call it as its document says.
 *
 * @throws PublicError UNAUTHENTICATED or FORBIDDEN
 */
export function callerFor(
  { access }: Pick<RestDocument, 'access'>,
  request: Parameters<typeof callerOf>[0],
): Caller {
  const caller = callerOf(request);
  if (access === 'producer' && !mayProduce(caller))
    throw new PublicError('FORBIDDEN', 'This needs the role producer');
  return caller;
}

/**
 * Refuses who may not call a route before their body is read: to read what was sent is more work than anything else that a stranger can
 * ask for.
 */
export function refuseStrangers(app: FastifyInstance, openRequest: OpenRequest): void {
  app.addHook('onRequest', async (request, reply) => {
    const { rest } = request.routeOptions.config;
    if (rest && rest.access !== 'anyone') callerFor(rest, await openRequest(request, reply));
  });
}
