import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { buildSchema } from 'graphql';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '../../../src/config.js';
import { createEdge, type Edge } from '../../../src/edge/index.js';
import { registerRoutes } from '../../../src/http/routes.js';
import { openWeb } from '../../../src/http/web/index.js';
import { createAuthenticator } from '../../../src/platform/auth/auth.js';
import { systemClock } from '../../../src/platform/clock.js';
import { uuidV7Ids } from '../../../src/platform/ids.js';
import { depsOfNobody } from '../deps-of-nobody.js';

export const SECRET = 'a secret of thirty-two characters';

/** Long enough to be compressed. */
export const SCRIPT = `export default [${'1, '.repeat(1_000)}];\n`;
const FILES: Readonly<Record<string, string>> = {
  'index.html': '<title>front</title>',
  'console.html': '<title>console</title>',
  'app.html': '<title>reader</title>',
  'graphiql.html': '<title>GraphiQL</title>',
  'not-found.html': '<title>nothing here</title>',
  'assets/main-B3x_a-1.js': SCRIPT,
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'robots.txt': 'User-agent: *\nDisallow: /\n',
  'color-scheme.js': '',
  'app/manifest.webmanifest': '{}',
  'app/sw.js': 'self',
  'docs/README.html': '<title>guides</title>',
  'docs/limits.html': '<title>limits</title>',
  'docs/feed/media.html': '<title>media</title>',
};

export interface BuiltPages {
  readonly edge: Edge;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** An edge with the routes of the product and pages as the build leaves them; nothing of the product is there to answer. */
export async function serveBuiltPages(
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = FILES,
): Promise<BuiltPages> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-pages-'));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
    if (text.length < 1_024) continue;
    await writeFile(`${file}.gz`, gzipSync(text));
    await writeFile(`${file}.br`, brotliCompressSync(text));
  }
  const config = readConfig({
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: SECRET,
    NODE_ENV: 'development',
    ...env,
  });
  const warnings: string[] = [];
  const web = openWeb({
    config,
    logger: { warn: (_: unknown, text?: string) => warnings.push(text!) },
    folder,
  });
  const edge = await createEdge({
    schema: buildSchema('type Query { nothing: Int }'),
    authenticator: createAuthenticator({ secret: SECRET }, systemClock),
    createContext: (request) => request,
    logger: pino({ level: 'silent' }),
    allowedOrigins: [],
    development: config.environment !== 'production',
    readiness: {},
    metrics: new Registry(),
    clock: systemClock,
    ids: uuidV7Ids(systemClock),
    routes: (fastify) => registerRoutes(fastify, { ...depsOfNobody('development'), web }),
    ...(web && { notFoundPage: web.notFoundPage }),
  });
  return {
    edge,
    warnings,
    async close() {
      await edge.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
