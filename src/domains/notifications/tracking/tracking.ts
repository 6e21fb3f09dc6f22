import type { Clock } from '../../../platform/clock.js';
import type { ProviderMessage } from '../providers/provider.js';
import { rulesOf } from '../types.js';
import { createLinks, type Links } from './links.js';
import { rewriteHtml } from './rewrite.js';

/** Makes what a mail's reader does come back to us. */
export interface Tracking {
  /** The message with tracked links, a pixel and a one-click link to unsubscribe; other channels' unchanged. */
  dress(message: ProviderMessage): ProviderMessage;
}

/** Nobody signs, so nothing is tracked. */
const untracked: Tracking = { dress: (message) => message };

/** Longer ones do not survive every server, proxy and mail client on their way: such a link stays as it was. */
const MAX_LINK_CHARACTERS = 8_000;

/** @param secret without one mails stay as they are */
export function createTracking(deps: {
  readonly trackUrl: string;
  readonly secret: string | undefined;
  readonly clock: Clock;
}): Tracking {
  const { trackUrl, secret, clock } = deps;
  if (secret === undefined) return untracked;
  const links = createLinks({ trackUrl, secret });
  return { dress: (message) => dress(message, links, clock) };
}

const MAIL_ADDRESS = /^[^@\s{}]+@[^@\s{}]+$/;

function dress(message: ProviderMessage, links: Links, clock: Clock): ProviderMessage {
  if (!MAIL_ADDRESS.test(message.address)) return message;
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
