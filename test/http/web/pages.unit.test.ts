import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltPages, SCRIPT, serveBuiltPages } from './built-pages.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const SCRIPT_FILE = '/assets/main-B3x_a-1.js';

let pages: BuiltPages;
let production: BuiltPages;
let without: BuiltPages;
beforeAll(async () => {
  [pages, production, without] = await Promise.all([
    serveBuiltPages(),
    serveBuiltPages({ NODE_ENV: 'production', MEDIA_S3_BUCKET: 'pictures', CDN_URL: 'https://cdn.test/m' }),
    serveBuiltPages({ CONSOLE: 'off' }),
  ]);
});
afterAll(() => Promise.all([pages.close(), production.close(), without.close()]));

const get = (url: string, headers: Record<string, string> = {}, from = pages) =>
  from.edge.app.inject({ url, headers: { host: 'localhost:4000', ...headers } });

describe('each page is at its path', () => {
  it.each([
    ['/', 'front'],
    ['/console', 'console'],
    ['/console/', 'console'],
    ['/console/notifications/a.b?status=dead', 'console'],
    ['/app', 'reader'],
    ['/app/', 'reader'],
    ['/app/people/alice', 'reader'],
    ['/graphiql', 'GraphiQL'],
    ['/docs', 'guides'],
    ['/docs/feed/media', 'media'],
  ])('%s', async (url, title) => {
    const answer = await get(url, BROWSER);
    expect([answer.statusCode, answer.body]).toEqual([200, `<title>${title}</title>`]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    });
  });

  it('a browser that has a page is answered 304', async () => {
    const { etag } = (await get('/console', BROWSER)).headers;
    expect(etag).toBeDefined();
    const again = await get('/console/notifications', { ...BROWSER, 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('the service worker may serve `/app` and all below it, and is looked for at each start', async () => {
    const { statusCode, headers } = await get('/app/sw.js');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'service-worker-allowed': '/app',
    });
    expect((await get('/app/manifest.webmanifest')).headers['content-type']).toContain(
      'application/manifest+json',
    );
  });

  it('browsers find an icon, and robots what not to read', async () => {
    for (const url of ['/favicon.ico', '/favicon.svg'])
      expect((await get(url)).headers['content-type']).toBe('image/svg+xml');
    expect((await get('/robots.txt')).body).toContain('Disallow: /');
  });
});

describe('files with a hash in their name', () => {
  it('are kept for a year', async () => {
    const { headers } = await get(SCRIPT_FILE);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('are sent as they lie compressed to those who take %s', async (encoding, decompress) => {
    const { headers, rawPayload } = await get(SCRIPT_FILE, { 'accept-encoding': encoding });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(rawPayload.length),
      'content-type': 'application/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect(decompress(rawPayload).toString()).toBe(SCRIPT);
  });

  it.each(['/assets/gone-1.js', '/assets/', '/assets', '/assets/..%2findex.html', '/assets/.hidden'])(
    '%s is not there, and no cache keeps that',
    async (url) => {
      const answer = await get(url);
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers['cache-control']).toBeUndefined();
    },
  );
});

describe('an unknown path', () => {
  it.each(['/nowhere', '/docs/nowhere', '/assets/gone.js', '/docs/..%2f..%2fpackage'])(
    '%s is a page for a browser',
    async (url) => {
      const answer = await get(url, BROWSER);
      expect([answer.statusCode, answer.body]).toEqual([404, '<title>nothing here</title>']);
      expect(answer.headers['content-security-policy']).toContain("script-src 'self'");
      expect(answer.headers.vary).toMatch(/(^|, )accept(,|$)/);
    },
  );

  it.each([
    ['a program', { accept: '*/*' }],
    ['a program that says nothing', {}],
    ['a client of the API', { accept: 'application/json' }],
  ])('is JSON for %s', async (_, headers) => {
    const answer = await get('/nowhere', headers);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({
      error: { code: 'NOT_FOUND', message: 'Nothing answers GET /nowhere', path: null },
    });
  });

  it('is JSON for what a browser posts', async () => {
    const answer = await pages.edge.app.inject({ method: 'POST', url: '/nowhere', headers: BROWSER });
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

it('the guide to limits is a page for browsers, and Markdown for others', async () => {
  const page = await get('/docs/limits', BROWSER);
  expect([page.statusCode, page.body]).toEqual([200, '<title>limits</title>']);
  const markdown = await get('/docs/limits', { accept: '*/*' });
  expect([markdown.headers['content-type'], markdown.body.slice(0, 2)]).toEqual([
    'text/markdown; charset=utf-8',
    '# ',
  ]);
  for (const { headers } of [page, markdown]) expect(headers.vary).toMatch(/(^|, )accept(,|$)/);
});

describe('the content policy', () => {
  const directives = async (url: string, from = pages, host = 'localhost:4000') => {
    const { headers } = await get(url, { ...BROWSER, host }, from);
    const policy = String(headers['content-security-policy']);
    return Object.fromEntries(
      policy.split('; ').map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name, sources];
      }),
    );
  };

  it.each(['/', '/console', '/app', '/docs/limits', '/nowhere', SCRIPT_FILE])(
    'of %s lets scripts of this server run, and no others',
    async (url) => {
      expect(await directives(url)).toMatchObject({
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'frame-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
        'worker-src': ["'self'", 'blob:'],
      });
    },
  );

  it('lets pages open sockets by the name that they were asked by, and by the public one', async () => {
    expect((await directives('/app'))['connect-src']).toEqual([
      "'self'",
      'ws://localhost:4000',
      'wss://localhost:4000',
      'ws://127.0.0.1:4000',
      'wss://127.0.0.1:4000',
    ]);
  });

  it('takes nothing into the header that is no host', async () => {
    const sources = (await directives('/app', pages, 'evil.test *'))['connect-src'];
    expect(sources).toEqual(["'self'", 'ws://127.0.0.1:4000', 'wss://127.0.0.1:4000']);
  });

  it('lets pages show files of posts where they are, and nothing of elsewhere', async () => {
    const { 'img-src': images, 'media-src': media } = await directives('/app', production);
    expect(images).toEqual(["'self'", 'data:', 'blob:', 'https://cdn.test']);
    expect(media).toEqual(["'self'", 'blob:', 'https://cdn.test']);
  });

  it('lets pages call the sandbox where there is one', async () => {
    const withSandbox = await serveBuiltPages({ SANDBOX_URL: 'http://127.0.0.1:4010' });
    expect((await directives('/console', withSandbox))['connect-src']).toContain('http://127.0.0.1:4010');
    await withSandbox.close();
  });
});

it('GraphiQL is for development', async () => {
  const answer = await get('/graphiql', BROWSER, production);
  expect([answer.statusCode, answer.body]).toEqual([404, '<title>nothing here</title>']);
});

it.each([
  '/',
  '/console',
  '/app',
  '/graphiql',
  '/favicon.ico',
  '/assets/main-B3x_a-1.js',
  '/web-config.json',
])('with CONSOLE=off %s is an unknown path, for browsers too', async (url) => {
  const answer = await get(url, BROWSER, without);
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
});

it('with CONSOLE=off the guide to limits is Markdown', async () => {
  const answer = await get('/docs/limits', BROWSER, without);
  expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
});

it('pages that were not built are 404, and the log says how to build them', async () => {
  const unbuilt = await serveBuiltPages({}, {});
  expect(unbuilt.warnings).toEqual([expect.stringContaining('npm run build')]);
  const answer = await get('/console', BROWSER, unbuilt);
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NOT_FOUND']);
  await unbuilt.close();
});
