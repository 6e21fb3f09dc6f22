import type { RenderedContent } from '../providers/provider.js';
import type { Channel } from '../types.js';

/** One notification of a digest, as its templates read it. Types, not interfaces: these are values of a template's variables. */
export type DigestEntry = {
  /** Empty where the notification has none. */
  readonly title: string;
  readonly body: string;
  /** Empty where it leads nowhere. */
  readonly url: string;
  /** When it was accepted: RFC 3339. */
  readonly at: string;
};

/** What a digest's templates are given. */
export type DigestVariables = {
  /** How many notifications the digest is of. */
  readonly count: number;
  /** The newest of them, the newest first. */
  readonly items: readonly DigestEntry[];
  /** How many are not among `items`. */
  readonly more: number;
  /** A line for each of `items` as far as the channel has space for them, then how many are left out, like `+3`. */
  readonly summary: string;
};

const MAX_ITEMS = 20;
/** Characters of a line, without its link. */
const MAX_LINE = 160;
/** Characters of a summary. A push has 4 KB at most, of which a character may take three bytes, and an SMS costs by its length. */
const MAX_SUMMARY: Readonly<Record<Channel, number>> = { push: 900, in_app: 4_000, sms: 300, email: 20_000 };

/** Bytes of a push's texts, as JSON. Providers take 4 KB, with ids and what encrypting adds. */
const MAX_PUSH = 3_000;
/** Characters of an SMS that its provider takes. */
const MAX_SMS = 1_600;

/** Whether a channel's provider takes a text: a longer one it refuses for good. */
export function fits(content: RenderedContent, channel: Channel): boolean {
  if (channel === 'push') return Buffer.byteLength(JSON.stringify(content)) <= MAX_PUSH;
  return channel !== 'sms' || content.body.length <= MAX_SMS;
}

/** @param gathered from the oldest to the newest */
export function digestVariables(
  gathered: readonly { readonly content: RenderedContent; readonly createdAt: Date }[],
  channel: Channel,
): DigestVariables {
  const items = gathered.slice(-MAX_ITEMS).toReversed().map(toEntry);
  const count = gathered.length;
  return { count, items, more: count - items.length, summary: summaryOf(items, count, channel) };
}

const toEntry = ({
  content: { title, subject, body, actionUrl },
  createdAt,
}: {
  readonly content: RenderedContent;
  readonly createdAt: Date;
}): DigestEntry => ({
  title: title ?? subject ?? '',
  body,
  url: actionUrl ?? '',
  at: createdAt.toISOString(),
});

function summaryOf(items: readonly DigestEntry[], count: number, channel: Channel): string {
  const lines: string[] = [];
  // Space for the number of those that are left out.
  let left = MAX_SUMMARY[channel] - 12;
  for (const item of items) {
    const line = lineOf(item, channel);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return (lines.length < count ? [...lines, `+${count - lines.length}`] : lines).join('\n');
}

function lineOf({ title, body, url }: DigestEntry, channel: Channel): string {
  const text = cut([title, body].map(inOneLine).filter(Boolean).join(': '));
  // Elsewhere there is no space for links, or no way to follow one of several.
  return channel === 'email' && url && url.length <= MAX_LINE * 2 ? `${text}\n${url}` : text;
}

const inOneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const cut = (text: string): string =>
  text.length <= MAX_LINE
    ? text
    : `${text
        .slice(0, MAX_LINE - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`;
