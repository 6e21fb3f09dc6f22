import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { mediaTypeFor } from '../media-type.js';
import { GRAPHQL_PATH } from '../options.js';
import { MAX_PARAMETER_LENGTH, type NotFound, sendRestError } from './server.js';

/** Which methods a path has: what `Allow` says of it. Empty where no route matches. */
export type MethodsOf = (path: string) => readonly string[];

/**
 * Watches which routes are added from here on. Fastify itself finds whether a route matches a method and a path, and not
 * which methods match a path: its router, with the same routes, is asked once a method.
 */
export function watchMethods(app: FastifyInstance): MethodsOf {
  const router = findMyWay({ maxParamLength: MAX_PARAMETER_LENGTH });
  const known = new Set<HTTPMethod>();
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) {
      const name = one.toUpperCase() as HTTPMethod;
      known.add(name);
      router.on(name, url, () => undefined);
    }
  });
  return (path) => {
    const methods = [...known].filter((method) => router.find(method, path));
    return methods.length > 0 && !methods.includes('OPTIONS') ? [...methods, 'OPTIONS'] : methods;
  };
}

/**
 * Answers requests for which there is no route before their bodies are read: 404, or 405 where the path has other methods.
 * OPTIONS gets the list of them.
 */
export function answerUnrouted(app: FastifyInstance, methodsOf: MethodsOf, notFound: NotFound): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const path = request.url.split('?', 1)[0]!;
    const methods = methodsOf(path);
    if (methods.length === 0) return notFound(request, reply);
    reply.header('allow', methods.join(', '));
    if (request.method === 'OPTIONS') reply.code(204).send();
    else refuseMethod(request, reply, path);
  });
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, path: string): void {
  const code = 'METHOD_NOT_ALLOWED';
  const message = `${path} has no ${request.method}; Allow says what it has`;
  if (path !== GRAPHQL_PATH) {
    sendRestError(reply, { status: 405, code, message });
    return;
  }
  reply
    .code(405)
    .type(mediaTypeFor(request))
    .send(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}
