import { encodeWord } from 'nodemailer/lib/mime-funcs';

/** Characters of one line of a mail, without its line break (RFC 5322, 2.1.1). */
export const MAX_LINE = 998;
/** Characters of an encoded word (RFC 2047), which is never longer and can be folded at its ends. */
const MAX_ENCODED_WORD = 75;
/** Printable ASCII whose words are short enough to be folded, and which no reader takes for an encoded word. */
const PLAIN = /^(?!.*=\?)(?:[\x21-\x7e]{1,200}(?: +|$))*$/;

/**
 * Free text as the value of a mail's header: as it is where it may stand so, else as encoded words (RFC 2047), which every
 * mail reader shows as the text that it was. Lines that are folded at blanks have at most 998 characters.
 */
export function headerText(text: string): string {
  const line = text.replace(/[\r\n]+/g, ' ');
  return PLAIN.test(line) ? line : encodeWord(line, 'B', MAX_ENCODED_WORD);
}

/** The Message-ID of a delivery's mail: the same for every repeat, so that a repeat can be recognized. */
export function messageId(deliveryId: string, from: string): string {
  const id = encodeURIComponent(deliveryId).replace(/[()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);
  return `<${id}@${domainOf(from)}>`;
}

/**
 * How a mail's reader unsubscribes. One click (RFC 8058) needs an https link: it is promised only where there is one that
 * fits a line, else the sender's mailbox is named.
 */
export function unsubscribeHeaders(from: string, url: string | undefined): Record<string, string> {
  const link = url && `<${new URL(url).href}>`;
  if (link && `List-Unsubscribe: ${link}`.length <= MAX_LINE) {
    return { 'List-Unsubscribe': link, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
  }
  const mailbox = `${encodeURIComponent(from.slice(0, from.lastIndexOf('@')))}@${domainOf(from)}`;
  return { 'List-Unsubscribe': `<mailto:${mailbox}?subject=unsubscribe>` };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
