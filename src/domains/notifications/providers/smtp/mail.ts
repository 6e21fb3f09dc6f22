import type { SendMailOptions } from 'nodemailer';
import { headerText, messageId, unsubscribeHeaders } from '../mail-headers.js';
import type { ProviderMessage } from '../provider.js';

/** One mailbox and nothing else: no list of them, no display name, no line break. */
const MAILBOX = /^[^\s\p{Cc}<>()[\],;:\\"@]+@[^\s\p{Cc}<>()[\],;:\\"@]+$/u;

/** Whether an address can stand in a mail's envelope as it is. */
export const isMailbox = (address: string): boolean => MAILBOX.test(address);

/** The mail of a delivery. Its Message-ID is the same for every repeat, so that a repeat can be recognized. */
export function smtpMail(message: ProviderMessage, from: string, now: number): SendMailOptions {
  const { title, subject, body, htmlBody } = message.content;
  return {
    // Given apart from the headers, so that nobody reads recipients out of text.
    envelope: { from, to: [message.address] },
    from: { name: '', address: from },
    to: { name: '', address: message.address },
    subject: headerText(subject ?? title ?? ''),
    text: body,
    ...(htmlBody !== undefined && { html: htmlBody }),
    date: new Date(now),
    messageId: messageId(message.deliveryId, from),
    headers: {
      'X-Notification-ID': headerText(message.notificationId),
      ...unsubscribeHeaders(from, message.unsubscribeUrl),
    },
    xMailer: false,
  };
}
