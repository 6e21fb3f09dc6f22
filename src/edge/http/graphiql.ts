import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** Where the build puts GraphiQL, seen from `dist/edge/http` and from `src/edge/http`. */
const PLACES = ['../../graphiql/', '../../../dist/graphiql/'];

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Of the page alone: its scripts come from here, and its editor makes styles, fonts and workers of its own. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self' ws: wss:",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** GraphiQL at `/graphiql`, from files on disk alone. Without a build of it the page says how to get one. */
export function registerGraphiQL(app: FastifyInstance): void {
  const folder = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) =>
    existsSync(`${path}index.html`),
  );
  if (folder === undefined) {
    app.get('/graphiql', (_, reply) =>
      reply
        .code(404)
        .type('text/plain')
        .send('GraphiQL is not built: run `node scripts/build-graphiql.mjs`\n'),
    );
    return;
  }
  // Only what is listed here is ever read: a path in a URL reaches no other file.
  const files = new Set(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  );
  const send = (name: string) => readFile(`${folder}${name}`);
  app.get('/graphiql', async (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(await send('index.html')),
  );
  app.get<{ Params: { '*': string } }>('/graphiql/*', async (request, reply) => {
    const name = request.params['*'];
    const type = contentTypes[extname(name)];
    if (!files.has(name) || type === undefined) return reply.callNotFound();
    return reply.type(type).send(await send(name));
  });
}
