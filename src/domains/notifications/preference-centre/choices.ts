import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { ChannelPreference } from '../preferences/channel-preferences.js';
import { type Channel, channels, rulesOf } from '../types.js';
import { sql as statements } from './choices.sql.js';

/** A type of notification, and what its user chose about it. */
export interface TypeChoices {
  readonly notificationType: string;
  /** It protects the user's account: it cannot be switched off here. */
  readonly isEssential: boolean;
  /** It comes only while the user wants marketing. */
  readonly isMarketing: boolean;
  readonly channels: readonly { readonly channel: Channel; readonly enabled: boolean }[];
}

const LOOKED_AT = { deliveries: 200, preferences: 1_000 };
const MAX_TYPES = 50;

/**
 * The types that a user is asked about: the one that comes first, those that were sent to them lately, and those that they chose
 * about before; 50 at most. Each with the channels on which it has an active text, or came, or was chosen about.
 */
export async function findChoices(
  postgres: Queryable,
  userId: string,
  firstType: string,
): Promise<readonly TypeChoices[]> {
  const { rows } = await postgres.query(statements.choicesOf, [
    userId,
    firstType,
    LOOKED_AT.deliveries,
    LOOKED_AT.preferences,
    channels,
    MAX_TYPES,
  ]);
  return [...Map.groupBy(rows, (row) => row.notificationType)].map(([notificationType, ofType]) => ({
    notificationType,
    isEssential: rulesOf(notificationType).exempt ?? false,
    isMarketing: rulesOf(notificationType).marketing ?? false,
    channels: ofType.map(({ channel, enabled }) => ({ channel, enabled })),
  }));
}

/** Whether every preference is about a type and a channel that the user is asked about, and that can be switched. */
export function areOffered(
  choices: readonly TypeChoices[],
  preferences: readonly ChannelPreference[],
): boolean {
  const offered = new Set(
    choices.flatMap(({ notificationType, isEssential, channels: ofType }) =>
      isEssential ? [] : ofType.map(({ channel }) => `${channel}/${notificationType}`),
    ),
  );
  return preferences.every(({ channel, notificationType }) => offered.has(`${channel}/${notificationType}`));
}
