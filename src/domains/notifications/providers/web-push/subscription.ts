import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result, refused } from '../../../../platform/errors.js';
import { readJson } from '../failure.js';

/** What a browser gives an app that may send to it: the address of a device on the web. */
export interface PushSubscription {
  /** Where its push service takes messages for it. */
  readonly endpoint: string;
  readonly keys: {
    /** The browser's public key, 65 bytes, base64url. */
    readonly p256dh: string;
    /** A secret shared with the browser, 16 bytes, base64url. */
    readonly auth: string;
  };
}

/** Chrome and its like, Firefox, Safari, Edge on Windows. A name that starts with a dot stands for what ends with it. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  '.push.services.mozilla.com',
  '.push.apple.com',
  '.notify.windows.com',
];

const PUBLIC_KEY_BYTES = 65;
const AUTH_BYTES = 16;

const key = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/, 'must be base64url')
    .transform((text) => text.replace(/={1,2}$/, ''))
    .refine((text) => Buffer.from(text, 'base64url').length === bytes, `must be ${bytes} bytes in base64url`);
const subscription = z.object({
  endpoint: z.url(),
  keys: z.object({
    p256dh: key(PUBLIC_KEY_BYTES).refine(isPoint, 'is not a point of P-256'),
    auth: key(AUTH_BYTES),
  }),
});

/**
 * Reads a PushSubscription from its JSON text. Users send these, and we shall send requests to what they name: so only
 * the push services of the browsers are trusted, over https, and whatever `alsoHosts` names.
 *
 * Refused with SUBSCRIPTION_INVALID and the path of the member at fault, or with PUSH_SERVICE_UNKNOWN.
 *
 * @param alsoHosts hosts in lower case, with their port where it is not 443
 * @returns one form for all texts that mean the same subscription
 */
export function readSubscription(text: string, alsoHosts: readonly string[] = []): Result<PushSubscription> {
  const parsed = subscription.safeParse(readJson(text));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path.map(String) ?? [];
    const what = path.length > 0 ? path.join('.') : 'the text';
    return refused('SUBSCRIPTION_INVALID', `Not a PushSubscription: ${what}: ${issue?.message}`, path);
  }
  const { keys } = parsed.data;
  const endpoint = new URL(parsed.data.endpoint);
  if (endpoint.protocol !== 'https:' || endpoint.username || endpoint.password || endpoint.hash) {
    const message = 'The endpoint must be an https address without user, password and fragment';
    return refused('SUBSCRIPTION_INVALID', message, ['endpoint']);
  }
  if (!isPushService(endpoint, alsoHosts)) {
    return refused('PUSH_SERVICE_UNKNOWN', `${endpoint.host} is not a known push service`, ['endpoint']);
  }
  return ok({ endpoint: endpoint.href, keys: { p256dh: keys.p256dh, auth: keys.auth } });
}

function isPushService({ host }: URL, alsoHosts: readonly string[]): boolean {
  const isOne = (service: string) => (service.startsWith('.') ? host.endsWith(service) : host === service);
  return PUSH_SERVICES.some(isOne) || alsoHosts.includes(host);
}

/** No message could be encrypted for a key that is not on the curve. */
function isPoint(text: string): boolean {
  try {
    ECDH.convertKey(text, 'prime256v1', 'base64url');
    return true;
  } catch {
    return false;
  }
}
