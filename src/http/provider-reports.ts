import {
  type DeliveryReport,
  isBotName,
  type MailEvent,
  type TwilioStatus,
} from '../domains/notifications/index.js';

/** What a step of the document's SMS status chain means for its delivery. */
export function reportOfSms({ deliveryId, messageSid, status, errorCode }: TwilioStatus): DeliveryReport {
  const base = { deliveryId, providerId: messageSid };
  switch (status) {
    case 'accepted':
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
      return { ...base, kind: 'sent' };
    case 'delivered':
    case 'read':
      return { ...base, kind: 'delivered' };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return { ...base, kind: 'failed', reason: errorCode ? `${status}: ${errorCode}` : status };
  }
}

/** What an event of SendGrid's means for its delivery. */
export function reportOfMail(event: MailEvent): DeliveryReport {
  const { deliveryId, kind, messageId, reason } = event;
  const base = { deliveryId, providerId: messageId };
  switch (kind) {
    case 'processed':
    case 'deferred':
      return { ...base, kind: 'sent' };
    case 'delivered':
      return { ...base, kind: 'delivered' };
    case 'open':
      return { ...base, kind: 'opened', ...fetched(event) };
    case 'click':
      return { ...base, kind: 'clicked', ...fetched(event) };
    case 'bounce':
    case 'blocked':
    case 'dropped':
      return { ...base, kind: 'failed', reason: reason ? `${kind}: ${reason}` : kind };
    case 'unsubscribe':
    case 'group_unsubscribe':
    case 'spamreport':
      return { ...base, kind: 'unsubscribed', detail: { via: kind }, at: endOfSecond(event.at) };
  }
}

function fetched({
  userAgent = '',
  isMachine,
  url,
}: MailEvent): Pick<DeliveryReport, 'suspectedBot' | 'detail'> {
  const detail = {
    ...(url !== undefined && { url }),
    ...(userAgent !== '' && { user_agent: userAgent }),
  };
  return { suspectedBot: isMachine === true || isBotName(userAgent), detail };
}

/** SendGrid reports whole seconds: what a user chose within that second came before. */
const endOfSecond = (at: Date): Date => new Date(at.getTime() + 999);
