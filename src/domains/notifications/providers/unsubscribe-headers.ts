/**
 * How a mail's reader unsubscribes. One click (RFC 8058) needs an https link: it is promised only where there is one,
 * else the sender's mailbox is named.
 */
export function unsubscribeHeaders(from: string, url: string | undefined): Record<string, string> {
  if (!url) return { 'List-Unsubscribe': `<mailto:${from}?subject=unsubscribe>` };
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
