/** Of one post or comment. */
const MAX_MENTIONS = 10;

/** Behind a letter or a slash it is a mail address or a part of a URL. */
const MENTION = /(?<![\p{L}\p{M}\p{N}_@/.-])@([\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]{0,63})/gu;

/** A mention, and where its `@` is in the text. */
export interface Mention {
  readonly index: number;
  readonly userId: string;
}

/**
 * Each `@user` of a text, whether they exist or not. Only ids of letters, digits, `_`, `.` and `-` can be mentioned; a full
 * stop or hyphen at the end belongs to the sentence.
 */
export function* mentionsAt(text: string): Generator<Mention> {
  for (const { index, 1: name } of text.matchAll(MENTION))
    yield { index, userId: name!.replace(/(?<![.-])[.-]+$/, '') };
}

/** The user ids that a text mentions: the first ten, each once. */
export function mentionsIn(text: string): string[] {
  const mentioned = new Set<string>();
  for (const { userId } of mentionsAt(text)) {
    mentioned.add(userId);
    if (mentioned.size === MAX_MENTIONS) break;
  }
  return [...mentioned];
}

/** The mentions of an event; absent where there are none. */
export const mentionedIn = (mentions: readonly string[]): { readonly mentions?: readonly string[] } =>
  mentions.length > 0 ? { mentions } : {};
