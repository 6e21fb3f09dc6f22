import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  defineStandIn,
  header,
  idsOf,
  keyPair,
  type Reply,
  type SandboxProvider,
  type SandboxRequest,
  type SandboxWorld,
} from '../stand-in.js';
import { decrypt } from './sandbox-aes128gcm.js';
import { type Browser, createBrowsers } from './sandbox-browsers.js';
import { explainVapid } from './sandbox-vapid.js';

const MAX_BODY_BYTES = 4096;
const MAX_TTL_SECONDS = 30 * 86_400;
const PATH = /^\/web-push\/([\w-]+)$/;
const URGENCIES = ['very-low', 'low', 'normal', 'high'];

const carried = z.object({ data: z.unknown() });

/** Mozilla's numbers, and what they stand for. */
const errors: Readonly<Record<number, readonly [errno: number, error: string]>> = {
  400: [110, 'Bad Request'],
  401: [109, 'Unauthorized'],
  403: [109, 'Forbidden'],
  404: [102, 'Not Found'],
  405: [0, 'Method Not Allowed'],
  410: [106, 'Gone'],
  413: [104, 'Payload Too Large'],
  429: [201, 'Too Many Requests'],
  500: [999, 'Internal Server Error'],
  502: [902, 'Bad Gateway'],
  503: [201, 'Service Unavailable'],
};

/** A VAPID pair in base64url, and the secret that the keys of sandbox browsers are derived from. */
const credentials = keyPair.extend({ subject: z.string(), browsers: z.string() });
type Credentials = z.infer<typeof credentials>;

export const webPushStandIn = defineStandIn({
  credentials,
  makeCredentials() {
    const keys = createECDH('prime256v1');
    return {
      publicKey: keys.generateKeys('base64url'),
      // Node leaves leading zeros out.
      privateKey: Buffer.from(keys.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
      subject: 'mailto:push@tidings.example',
      browsers: randomBytes(32).toString('base64url'),
    };
  },
  settings: ({ browsers: _, ...own }, url) => ({ ...own, hosts: new URL(url).host }),
  open: openWebPush,
});

/** A browser vendor's push service, and the browsers behind it, which decrypt what they get. */
function openWebPush(credentials: Credentials, { url, clock }: SandboxWorld): SandboxProvider {
  const browsers = createBrowsers(credentials.browsers, url);

  return {
    serves: (path) => path.startsWith('/web-push/'),
    subscribe: () => browsers.subscribe(),
    async judge(request) {
      const browser = browsers.find(PATH.exec(request.path)?.[1] ?? '');
      if (!browser) return refusal(404, 'There is no such subscription.');
      if (request.method !== 'POST') return refusal(405);
      const authorization = header(request, 'authorization');
      if (!authorization) return refusal(401, 'Missing VAPID header.');
      const { origin } = new URL(browser.endpoint);
      const forged = await explainVapid(authorization, credentials.publicKey, origin, clock);
      if (forged) return refusal(403, forged);
      const wrong = checkHeaders(request);
      if (wrong) return refusal(400, wrong);
      if (request.body.length > MAX_BODY_BYTES) return refusal(413);
      const text = textOf(request.body, browser);
      if (text === undefined) return refusal(400, 'The browser could not decrypt this.');
      const location = `${origin}/web-push-messages/${randomUUID()}`;
      return {
        message: {
          to: browser.endpoint,
          providerId: location,
          ...idsOf(carried.safeParse(parsed(text)).data?.data),
          body: parsed(text),
        },
        reply: { status: 201, headers: { location, ttl: header(request, 'ttl') ?? '0' } },
      };
    },
    // Apple answers a reason alone.
    refusal: (status, reason) => (reason ? { status, body: { reason } } : refusal(status)),
  };
}

function refusal(code: number, message?: string): Reply {
  const [errno, error] = errors[code] ?? [999, 'Error'];
  return { status: code, body: { code, errno, error, message: message ?? error } };
}

/** What is wrong with the headers of a message (RFC 8030), or undefined. */
function checkHeaders(request: SandboxRequest): string | undefined {
  const ttl = header(request, 'ttl');
  if (ttl === undefined) return 'Missing TTL header.';
  if (!/^\d{1,9}$/.test(ttl) || Number(ttl) > MAX_TTL_SECONDS) return 'Invalid TTL header.';
  if (!URGENCIES.includes(header(request, 'urgency') ?? 'normal')) return 'Invalid Urgency header.';
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(header(request, 'topic') ?? 'none')) return 'Invalid Topic header.';
  // A message without content wakes the browser, and has nothing to be encrypted.
  if (request.body.length > 0 && header(request, 'content-encoding') !== 'aes128gcm') {
    return 'The Content-Encoding is not aes128gcm.';
  }
  return undefined;
}

function textOf(body: Buffer, browser: Browser): string | undefined {
  if (body.length === 0) return '';
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(decrypt(body, browser));
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
