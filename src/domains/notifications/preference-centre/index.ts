import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { commitIfOk } from '../../../platform/postgres/commit-if-ok.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { type ChannelPreference, setPreferencesIn } from '../preferences/channel-preferences.js';
import { type DigestFrequency, findSettings, updateSettingsIn } from '../preferences/settings.js';
import type { Links } from '../tracking/links.js';
import { areOffered, findChoices, type TypeChoices } from './choices.js';
import { sql as statements } from './choices.sql.js';

export type { TypeChoices } from './choices.js';

/** What a person sees of their settings behind the link of a mail. */
export interface PreferencePage {
  /** The language that they set; null where they set none. */
  readonly language: string | null;
  readonly marketingOptIn: boolean;
  readonly digestFrequency: DigestFrequency;
  readonly types: readonly TypeChoices[];
}

/** What they change; what is absent stays. */
export interface PreferenceChange {
  readonly marketingOptIn?: boolean;
  readonly digestFrequency?: DigestFrequency;
  readonly preferences: readonly ChannelPreference[];
}

interface Deps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly freshness: Freshness;
  /** Null where nobody signs links: then none is trusted. */
  readonly links: Links | null;
}

/** Nobody waits longer for the language of a page that needs nothing else. */
const LANGUAGE_MS = 500;

/**
 * What a person may see and change who has no more than a signed link out of a mail: their own preferences and two settings, by the
 * rules of the API. A link works as long as its delivery is known.
 */
export const createPreferenceCentre = (deps: Deps) =>
  bind(deps, { preferencesLink, languageBehind, readPreferencePage, changePreferences });

/**
 * The query string by which the reader of a mail comes to their preferences.
 *
 * Refused as `Links.read` does.
 *
 * @param query of the mail's link to unsubscribe
 */
function preferencesLink({ links }: Deps, query: unknown): Result<string> {
  const link = read(links, 'unsubscribe', query);
  return link.ok ? ok(new URL(links!.make('preferences', link.value)).search) : link;
}

/** The language that the reader of a mail has set; null where they set none, or it cannot be read now. */
async function languageBehind({ postgres, links }: Deps, query: unknown): Promise<string | null> {
  const link = read(links, 'unsubscribe', query);
  if (!link.ok) return null;
  const reading = findRecipient(postgres, link.value.deliveryId).then(async (recipient) =>
    recipient ? (await findSettings(postgres, recipient.userId)).language : null,
  );
  return withinMs(LANGUAGE_MS, reading).catch(() => null);
}

/** Refused as `Links.read` does, and with DELIVERY_NOT_FOUND. */
async function readPreferencePage(
  { postgres, links }: Deps,
  query: unknown,
): Promise<Result<PreferencePage>> {
  const recipient = await recipientBehind(postgres, links, query);
  if (!recipient.ok) return recipient;
  const { userId, notificationType } = recipient.value;
  const [settings, types] = await Promise.all([
    findSettings(postgres, userId),
    findChoices(postgres, userId, notificationType),
  ]);
  const { language, marketingOptIn, digestFrequency } = settings;
  return ok({ language, marketingOptIn, digestFrequency, types });
}

/**
 * Changes what the person behind a link wants. Refused as `readPreferencePage` does, with TYPE_INVALID for what they are not asked
 * about or cannot switch off, and as `setPreferences` and `updateSettings` do; nothing is changed then.
 */
async function changePreferences(
  deps: Deps,
  query: unknown,
  change: PreferenceChange,
): Promise<Result<null>> {
  const recipient = await recipientBehind(deps.postgres, deps.links, query);
  if (!recipient.ok) return recipient;
  const { userId, notificationType } = recipient.value;
  const { preferences, ...settings } = change;
  const isWanted = preferences.length > 0;
  if (isWanted && !areOffered(await findChoices(deps.postgres, userId, notificationType), preferences))
    return refused('TYPE_INVALID', 'This is not among what can be switched here', ['preferences']);
  const now = deps.clock.now();
  const changed = await commitIfOk(deps.postgres, async (tx): Promise<Result<null>> => {
    const set = isWanted ? await setPreferencesIn(tx, userId, preferences, now) : ok(null);
    if (!set.ok || Object.keys(settings).length === 0) return set;
    const updated = await updateSettingsIn(tx, userId, settings, now);
    return updated.ok ? ok(null) : updated;
  });
  if (changed.ok) await deps.freshness.userChanged(userId);
  return changed;
}

const read = (links: Links | null, kind: 'unsubscribe' | 'preferences', query: unknown) =>
  links ? links.read(kind, query) : refused('SIGNATURE_REFUSED', 'Mails are not tracked.');

async function recipientBehind(postgres: Postgres, links: Links | null, query: unknown) {
  const link = read(links, 'preferences', query);
  if (!link.ok) return link;
  const recipient = await findRecipient(postgres, link.value.deliveryId);
  return recipient ? ok(recipient) : refused('DELIVERY_NOT_FOUND', 'This mail is not known any more.');
}

async function findRecipient(postgres: Postgres, deliveryId: string) {
  return (await postgres.query(statements.recipientOf, [deliveryId])).rows[0];
}
