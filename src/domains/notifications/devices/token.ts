import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import { readSubscription } from '../providers/web-push/subscription.js';
import { isName } from '../text.js';
import type { Platform } from '../types.js';

/**
 * Characters of a token. Apple's have up to 100 bytes in hexadecimal; Google's up to 4 KB. Of endpoints only Windows' push
 * service publishes a size, 1,024 characters.
 */
const MAX_TOKEN: Readonly<Record<Platform, number>> = { ios: 512, android: 4_096, web: 4_096 };
/** Characters of a PushSubscription as JSON: its endpoint, which escapes may lengthen, its keys, and what a browser adds. */
const MAX_SUBSCRIPTION = 16_384;
const path = ['input', 'deviceToken'];

/** A device's token as it is stored. */
export interface StoredToken {
  /** What the provider calls the device; for the web its subscription's endpoint. */
  readonly token: string;
  /** The keys of a browser's subscription; null elsewhere. */
  readonly keys: { readonly p256dh: string; readonly auth: string } | null;
}

/**
 * Reads a device's token as it is to be stored. A browser's subscription is brought into one form: whatever registers the
 * same endpoint is the same browser.
 *
 * Refused with TOKEN_INVALID, or with what `readSubscription` finds.
 *
 * @param pushHosts hosts that take Web Push, besides the browsers' own services
 */
export function readToken(
  platform: Platform,
  text: string,
  pushHosts: readonly string[],
): Result<StoredToken> {
  if (platform !== 'web') {
    return isName(text, MAX_TOKEN[platform]) ? ok({ token: text, keys: null }) : invalid(MAX_TOKEN[platform]);
  }
  if (text.trim() === '' || text.length > MAX_SUBSCRIPTION) return invalid(MAX_SUBSCRIPTION);
  const subscription = readSubscription(text, pushHosts);
  if (!subscription.ok) return refusedAll(subscription.errors.map((error) => ({ ...error, path })));
  const { endpoint, keys } = subscription.value;
  if (endpoint.length > MAX_TOKEN.web) {
    return refused(
      'TOKEN_INVALID',
      `The endpoint of deviceToken has more than ${MAX_TOKEN.web} characters`,
      path,
    );
  }
  return ok({ token: endpoint, keys });
}

const invalid = (max: number): Result<never> =>
  refused('TOKEN_INVALID', `deviceToken must have 1 to ${max} printable characters`, path);
