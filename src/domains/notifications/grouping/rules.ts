import { z } from 'zod';
import { type Channel, type GroupingRule, goesToDevices, rulesOf, rulesOfChannel } from '../types.js';

/** How notifications of a type are grouped; null: they are not. */
export type GroupingRules = (type: string) => GroupingRule | null;

/** As configured, else as the type is. */
export const createGroupingRules =
  (configured: Readonly<Record<string, GroupingRule | null>> = {}): GroupingRules =>
  (type) =>
    Object.hasOwn(configured, type) ? configured[type]! : (rulesOf(type).grouping ?? null);

/** Whether a channel can replace what it has shown: devices do by a collapse id, the inbox does. Others get each for itself. */
export const canReplace = (channel: Channel): boolean =>
  goesToDevices(channel) || rulesOfChannel(channel).address === 'user';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
export const MAX_WINDOW_SECONDS = 7 * SECONDS.d;
/** Names that a text may show before it counts the others. */
export const MAX_NAMES = 3;

/** `POST_LIKED=12h,NEW_FOLLOWER=1d/2,OTHER_TYPE=off`: the window, and how many names are shown (1 unless given). */
export const groupingVariable = z.string().transform((text, context) =>
  Object.fromEntries(
    text.split(',').map((part): [string, GroupingRule | null] => {
      const [, type = '', rest = ''] = /^\s*(\w{1,64})\s*=\s*(\S+)\s*$/.exec(part) ?? [];
      const rule = readRule(rest);
      if (rule === undefined) {
        const form = `POST_LIKED=12h or POST_LIKED=12h/2 or …=off (1s to 7d, 1 to ${MAX_NAMES} names)`;
        context.addIssue(`${JSON.stringify(part)} is not like ${form}`);
      }
      return [type, rule ?? null];
    }),
  ),
);

function readRule(text: string): GroupingRule | null | undefined {
  if (text === 'off') return null;
  const [, count, unit, names = '1'] = /^(\d{1,6})([smhd])(?:\/(\d))?$/.exec(text) ?? [];
  const rule = { windowSeconds: Number(count) * SECONDS[unit as keyof typeof SECONDS], names: Number(names) };
  const fits = rule.windowSeconds >= 1 && rule.windowSeconds <= MAX_WINDOW_SECONDS;
  return fits && rule.names >= 1 && rule.names <= MAX_NAMES ? rule : undefined;
}
