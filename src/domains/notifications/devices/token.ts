import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import { readSubscription } from '../providers/web-push-subscription.js';
import { isName } from '../text.js';
import type { Platform } from '../types.js';

const MAX_TOKEN = 512;
const path = ['input', 'deviceToken'];

/**
 * Reads a device's token as it is to be stored. A browser's subscription is brought into one form, so that a
 * registration in other words is the same token.
 *
 * Refused with TOKEN_INVALID, or with what `readSubscription` finds.
 *
 * @param pushHosts hosts that take Web Push, besides the browsers' own services
 */
export function readToken(platform: Platform, text: string, pushHosts: readonly string[]): Result<string> {
  const fits = platform === 'web' ? text.length > 0 && text.length <= MAX_TOKEN : isName(text, MAX_TOKEN);
  if (!fits) {
    return refused('TOKEN_INVALID', `deviceToken must have 1 to ${MAX_TOKEN} printable characters`, path);
  }
  if (platform !== 'web') return ok(text);
  const subscription = readSubscription(text, pushHosts);
  if (!subscription.ok) return refusedAll(subscription.errors.map((error) => ({ ...error, path })));
  const stored = JSON.stringify(subscription.value);
  return stored.length <= MAX_TOKEN ? ok(stored) : refused('TOKEN_INVALID', 'deviceToken is too long', path);
}
