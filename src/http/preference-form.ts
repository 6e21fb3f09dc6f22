import {
  type Channel,
  channels,
  digestFrequencies,
  type PreferenceChange,
} from '../domains/notifications/index.js';
import { ok, type Result, refused } from '../platform/errors.js';

/** Names of the form's fields. `SHOWN…` is how a choice was shown: what is not changed is not written. */
export const ON = 'on';
export const SHOWN = 'shown';
export const MARKETING = 'marketing';
export const SHOWN_MARKETING = 'shown_marketing';
export const DIGEST = 'digest';
export const SHOWN_DIGEST = 'shown_digest';

interface Pair {
  readonly channel: Channel;
  readonly notificationType: string;
}

/** A pair as the form has it. Channels have no slash in their names; types may. */
export const pairOf = ({ channel, notificationType }: Pair): string => `${channel}/${notificationType}`;

/**
 * What a person changed on the page of preferences: where a choice differs from how it was shown. Pure.
 *
 * Refused with BAD_USER_INPUT for what no such page posts.
 *
 * @param body `application/x-www-form-urlencoded`
 */
export function readPreferenceForm(body: string): Result<PreferenceChange> {
  const form = new URLSearchParams(body);
  const on = new Set(form.getAll(ON));
  const preferences: PreferenceChange['preferences'][number][] = [];
  for (const shown of form.getAll(SHOWN)) {
    const [, state, text] = /^(on|off)\/(.*)$/s.exec(shown) ?? [];
    const pair = text === undefined ? undefined : readPair(text);
    if (!pair) return malformed(SHOWN);
    const enabled = on.delete(text!);
    if (enabled !== (state === 'on')) preferences.push({ ...pair, enabled });
  }
  if (on.size > 0) return malformed(ON);
  const digest = readDigest(form.get(DIGEST));
  if (digest === null) return malformed(DIGEST);
  const marketingOptIn = form.get(MARKETING) === 'on';
  const shownMarketing = form.get(SHOWN_MARKETING);
  return ok({
    preferences,
    ...(shownMarketing !== null && marketingOptIn !== (shownMarketing === 'on') && { marketingOptIn }),
    ...(digest !== undefined && digest !== form.get(SHOWN_DIGEST) && { digestFrequency: digest }),
  });
}

function readPair(text: string): Pair | undefined {
  const slash = text.indexOf('/');
  const channel = channels.find((one) => one === text.slice(0, slash));
  return channel && { channel, notificationType: text.slice(slash + 1) };
}

/** Null for what is none. */
function readDigest(text: string | null): PreferenceChange['digestFrequency'] | null {
  if (text === null) return undefined;
  return digestFrequencies.find((one) => one === text) ?? null;
}

const malformed = (field: string): Result<never> =>
  refused('BAD_USER_INPUT', 'No page posts a form like this', [field]);
