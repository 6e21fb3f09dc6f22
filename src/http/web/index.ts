import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { signDemoTokens } from '../../demo/demo-users.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { WebConfig } from './config.js';
import { contentPolicy } from './content-policy.js';
import { prefersPage } from './prefers-page.js';
import { registerWebConfig } from './web-config.js';

/** Where the build puts the pages, seen from `dist/http/web` and from `src/http/web`. */
const PLACES = ['../../web/', '../../../dist/web/'];

const OPEN = { gate: 'open' } as const;
/** A file of `assets/` has a hash of its content in its name. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const FOR_AN_HOUR = 'public, max-age=3600';
const ASKED_AGAIN = 'no-cache';
/** The reader's worker: it serves `/app` as well, which is above its folder. */
const WORKER = /^app[/\\]sw\.js/;

/** What `web/public` has, by the paths at which browsers look for it. */
const PUBLIC_FILES: Readonly<Record<string, string>> = {
  '/favicon.svg': 'favicon.svg',
  '/favicon.ico': 'favicon.svg',
  '/robots.txt': 'robots.txt',
  '/color-scheme.js': 'color-scheme.js',
  '/app/manifest.webmanifest': 'app/manifest.webmanifest',
  '/app/sw.js': 'app/sw.js',
  '/app/icons/192.png': 'app/icons/192.png',
  '/app/icons/512.png': 'app/icons/512.png',
  '/app/icons/maskable-512.png': 'app/icons/maskable-512.png',
};

/** The paths of each application, which reads the rest of them itself, and of the index of the guides. */
const PAGES: Readonly<Record<string, string>> = {
  '/': 'index.html',
  '/console': 'console.html',
  '/console/*': 'console.html',
  '/app': 'app.html',
  '/app/*': 'app.html',
  '/docs': 'docs/README.html',
};

/** Files below a folder, none of them hidden: no path leads anywhere else. */
const FILE = /^\w[\w.-]*(\/\w[\w.-]*)*$/;
const GUIDE = /^\w[\w-]*(\/\w[\w-]*)*$/;
const PICTURE = /^pictures\/\w[\w-]*\.(svg|png)$/;

export interface WebOptions {
  readonly config: {
    readonly web: WebConfig;
    readonly environment: string;
    readonly baseUrl: string;
    readonly cdnUrl: string;
    readonly auth: { readonly secret?: string };
    readonly providers: { readonly webPush?: { readonly publicKey: string } };
  };
  readonly logger: Pick<Logger, 'warn'>;
  /** Where the built pages are; by default where the build puts them. */
  readonly folder?: string;
}

/** The console, the reader and the other pages, as `web/` makes them. */
export interface Web {
  /**
   * Adds their routes. All are the same for everybody, and none has a rate limit.
   *
   * @param markdown guides that programs get as Markdown, by their names below `/docs/`
   */
  register(app: FastifyInstance, markdown: Readonly<Record<string, RouteHandlerMethod>>): Promise<void>;
  /** Files of the documents that the pages name by id, as `PERSISTED_DOCUMENTS` names those of other clients. */
  readonly documentFiles: readonly string[];
  /** See `EdgeOptions.notFoundPage`. */
  readonly notFoundPage: (request: FastifyRequest, reply: FastifyReply) => boolean;
}

/** @returns undefined where the configuration wants no pages */
export function openWeb({ config, logger, folder = builtFolder() }: WebOptions): Web | undefined {
  const { web, baseUrl } = config;
  if (!web.pages) return undefined;
  const isProduction = config.environment === 'production';
  const { secret } = config.auth;
  if (!existsSync(path.join(folder, 'index.html')))
    logger.warn({ folder }, 'the web pages are not built, and answer 404: `npm run build` builds them');
  const notFound = readIfThere(path.join(folder, 'not-found.html'));
  const policyFor = ({ headers }: FastifyRequest): string =>
    contentPolicy({
      media: config.cdnUrl,
      hosts: [headers.host, new URL(baseUrl).host],
      ...(web.sandboxUrl !== undefined && { sandbox: web.sandboxUrl }),
    });

  return {
    documentFiles: [path.join(folder, 'persisted-documents.json')].filter((file) => existsSync(file)),
    async register(app, markdown) {
      registerWebConfig(app, {
        isProduction,
        baseUrl,
        sandboxUrl: web.sandboxUrl,
        demoTokens: web.demoTokens && secret ? () => signDemoTokens(secret) : undefined,
        pushKey: config.providers.webPush?.publicKey,
      });
      await app.register(async (pages) => {
        await pages.register(files, {
          root: path.resolve(folder),
          serve: false,
          preCompressed: true,
          cacheControl: false,
          index: false,
          suppressWarning: true,
          setHeaders(reply, file) {
            const name = path.relative(folder, file);
            reply
              .header('cache-control', cacheControlOf(name))
              .header('content-security-policy', policyFor(reply.request));
            if (WORKER.test(name)) reply.header('service-worker-allowed', '/app');
          },
        });
        // Each file has its compressed forms beside it.
        const options = { config: OPEN, compress: false } as const;
        const send =
          (file: string): RouteHandlerMethod =>
          (_, reply) =>
            reply.sendFile(file);
        const named = {
          ...PUBLIC_FILES,
          ...PAGES,
          ...(!isProduction && { '/graphiql': 'graphiql.html' }),
        };
        for (const [url, file] of Object.entries(named)) pages.get(url, options, send(file));
        pages.get<Below>('/assets/*', options, ({ params: { '*': name } }, reply) =>
          FILE.test(name) ? reply.sendFile(`assets/${name}`) : reply.callNotFound(),
        );
        pages.get<Below>('/docs/*', options, ({ params: { '*': name } }, reply) => {
          if (GUIDE.test(name)) return reply.sendFile(`docs/${name}.html`);
          return PICTURE.test(name) ? reply.sendFile(`docs/${name}`) : reply.callNotFound();
        });
        for (const [name, asMarkdown] of Object.entries(markdown)) {
          const page = send(`docs/${name}.html`);
          pages.get(`/docs/${name}`, { config: OPEN }, function (request, reply) {
            varyByAccept(reply);
            return (prefersPage(request) ? page : asMarkdown).call(this, request, reply);
          });
        }
      });
    },
    notFoundPage(request, reply) {
      if (!notFound || !prefersPage(request)) return false;
      varyByAccept(reply);
      reply
        .code(404)
        .header('cache-control', ASKED_AGAIN)
        .header('content-security-policy', policyFor(request))
        .type('text/html; charset=utf-8')
        .send(notFound);
      return true;
    },
  };
}

interface Below {
  Params: { '*': string };
}

/** By the type that is asked for the answer differs: caches have to know. */
const varyByAccept = (reply: FastifyReply): FastifyReply =>
  reply.header('vary', [reply.getHeader('vary'), 'accept'].filter(Boolean).join(', '));

function cacheControlOf(file: string): string {
  if (file.startsWith(`assets${path.sep}`)) return FOR_EVER;
  return /^[^/\\]+\.(svg|txt|js)(\.gz|\.br)?$/.test(file) ? FOR_AN_HOUR : ASKED_AGAIN;
}

function builtFolder(): string {
  const folders = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(path.join(folder, 'index.html'))) ?? folders[0]!;
}

const readIfThere = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;
