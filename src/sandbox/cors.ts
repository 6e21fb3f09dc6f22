import type { FastifyInstance } from 'fastify';

/** Names of this machine, by which the pages of one server may be open. */
const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** CORS: pages of the api may read every answer of `control`, and those of no other origin. */
export function answerPagesOf(control: FastifyInstance, apiUrl: () => string | undefined): void {
  control.addHook('onRequest', (request, reply, done) => {
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !isOf(apiUrl(), origin)) return done();
    reply.header('access-control-allow-origin', origin);
    if (request.method !== 'OPTIONS') return done();
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST, PUT, DELETE')
      .header('access-control-allow-headers', 'content-type')
      .header('access-control-max-age', '600')
      .send();
  });
}

function isOf(apiUrl: string | undefined, origin: string): boolean {
  const api = URL.parse(apiUrl ?? '');
  const page = URL.parse(origin);
  if (!api || !page) return false;
  const areLocal = LOCAL_NAMES.includes(api.hostname) && LOCAL_NAMES.includes(page.hostname);
  return areLocal ? api.protocol === page.protocol && api.port === page.port : api.origin === page.origin;
}
