import type { RenderedContent } from '../providers/provider.js';
import type { Channel } from '../types.js';
import { wordsOf } from './words.js';

/** Of a longer text the words after these are not found. */
const MOST_WORDS = 1_000;
/** Characters of each field in which words are looked for. */
const LONGEST_TEXT = 20_000;

/** What a delivery is found by. */
export interface Searched {
  readonly userId: string;
  readonly channel: Channel;
  readonly notificationType: string;
  readonly producer: string;
  /** Empty where its text was not made yet, or is not to be found. */
  readonly content: RenderedContent | Record<string, never>;
  readonly address: string | null;
}

/** What a filter names; absent: any. */
type Named = {
  readonly [Name in 'userId' | 'channel' | 'notificationType' | 'producer']?: Searched[Name] | undefined;
};

/** The exact terms of a filter: each says by its first character what it is of. */
export const termsOfFilter = ({ userId, channel, notificationType, producer }: Named): readonly string[] => [
  ...(userId === undefined ? [] : [`u${userId}`]),
  ...(producer === undefined ? [] : [`p${producer}`]),
  ...(notificationType === undefined ? [] : [`t${notificationType}`]),
  ...(channel === undefined ? [] : [`c${channel}`]),
];

/** The terms of a delivery's search document: those of filters, and the words of its text and address. */
export function termsOf({ content, address, ...named }: Searched): readonly string[] {
  const { title, subtitle, subject, body } = content;
  const text = [address, title, subject, subtitle, body]
    .map((part) => part?.slice(0, LONGEST_TEXT) ?? '')
    .join('\n');
  const words = wordsOf(text).slice(0, MOST_WORDS);
  return [...termsOfFilter(named), ...words.map((word) => `w${word}`)];
}
