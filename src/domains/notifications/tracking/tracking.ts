import type { Bound } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { ProviderMessage } from '../providers/provider.js';
import { rulesOf } from '../types.js';
import type { Links } from './links.js';
import { rewriteHtml } from './rewrite.js';

/** Makes what a mail's reader does come back to us. */
export type Tracking = Bound<{ dress: typeof dress }>;

/** Longer ones do not survive every server, proxy and mail client on their way: such a link stays as it was. */
const MAX_LINK_CHARACTERS = 8_000;

const MAIL_ADDRESS = /^[^@\s{}]+@[^@\s{}]+$/;

/**
 * The message with tracked links, a pixel and a one-click link to unsubscribe; other channels' unchanged, and mails too where
 * nobody signs links.
 */
export function dress(
  { links, clock }: { readonly links: Links | null; readonly clock: Clock },
  message: ProviderMessage,
): ProviderMessage {
  if (!links || !MAIL_ADDRESS.test(message.address)) return message;
  const { notificationId, deliveryId, content } = message;
  const sent = { notificationId, deliveryId, sentAt: Math.floor(clock.now() / 1000) };
  const { htmlBody } = content;
  const tracked = htmlBody !== undefined && {
    content: {
      ...content,
      htmlBody: rewriteHtml(htmlBody, {
        link: (href) => trackedUrl(href, (url) => links.make('click', { ...sent, url }), links),
        pixelUrl: links.make('open', sent),
      }),
    },
  };
  return { ...message, ...tracked, ...unsubscribing(message, () => links.make('unsubscribe', sent)) };
}

/** Exempt types have none: a slip in a mail client must lock nobody out of their account. */
const unsubscribing = ({ notificationType }: ProviderMessage, link: () => string) =>
  !rulesOf(notificationType).exempt && { unsubscribeUrl: link() };

/** Only http(s) goes through the tracker, as browsers read it: blanks around, line breaks within and case do not count. */
function trackedUrl(href: string, make: (url: string) => string, links: Links): string | null {
  const url = href.trim().replace(/[\t\n\r]/g, '');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || links.isOwn(url)) return null;
  const tracked = make(url);
  return tracked.length <= MAX_LINK_CHARACTERS ? tracked : null;
}
