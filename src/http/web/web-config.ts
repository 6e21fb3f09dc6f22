import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DemoToken } from '../../demo/demo-users.js';
import { productVersion } from '../product-version.js';

/** What the pages ask for before anything else, at `/web-config.json`. */
export interface WebSettings {
  readonly environment: 'development' | 'production';
  /** Whether `/graphiql` is there. */
  readonly graphiql: boolean;
  /** Of the sandbox's control server; null where there is none. */
  readonly sandboxUrl: string | null;
  /** To sign in with by one click; none but where `npm start` runs. */
  readonly demoTokens: readonly DemoToken[];
  /** With which browsers subscribe to Web Push (VAPID); null where no Web Push is configured. */
  readonly pushKey: string | null;
  readonly version: string;
}

export function registerWebConfig(
  app: FastifyInstance,
  options: {
    readonly isProduction: boolean;
    readonly baseUrl: string;
    readonly sandboxUrl: string | undefined;
    /** Signs tokens, for each request anew. */
    readonly demoTokens: (() => Promise<readonly DemoToken[]>) | undefined;
    readonly pushKey: string | undefined;
  },
): void {
  const { isProduction, baseUrl, sandboxUrl = null, demoTokens, pushKey = null } = options;
  app.get('/web-config.json', { config: { gate: 'open' } }, async (request, reply) => {
    const settings: WebSettings = {
      environment: isProduction ? 'production' : 'development',
      graphiql: !isProduction,
      sandboxUrl,
      demoTokens: demoTokens && isOwnPage(request, baseUrl) ? await demoTokens() : [],
      pushKey,
      version: productVersion,
    };
    return reply.header('cache-control', 'no-store').send(settings);
  });
}

/**
 * Whether it is this server's own page that asks. Another site's could have its name lead here (DNS rebinding), and one of
 * another port of this machine may call the API, and have no token by that.
 */
function isOwnPage({ headers }: FastifyRequest, baseUrl: string): boolean {
  const { 'sec-fetch-site': site = 'same-origin', host = '' } = headers;
  if (site !== 'same-origin' && site !== 'none') return false;
  const url = URL.parse(`http://${host}`);
  if (!url) return false;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(name) !== 0 || /(^|\.)localhost$/.test(name) || url.hostname === new URL(baseUrl).hostname;
}
