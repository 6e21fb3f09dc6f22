import type { UserError } from '../../../platform/errors.js';
import { mayBePublic } from '../../../platform/network/public-address.js';
import { isName } from '../text.js';
import type { EventTypes } from './event-types.js';
import { LONGEST_URL, MOST_TYPES } from './webhook.js';

/** What somebody wants a webhook to be; what is absent stays as it is. */
export interface WebhookFields {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly notificationTypes?: readonly string[] | undefined;
}

/** What the caller may follow. */
export interface Allowed {
  readonly types: EventTypes;
  /** Events of the log, too. */
  readonly mayFollowLog: boolean;
  /** Inside addresses, http and any port, too. */
  readonly allowPrivate: boolean;
}

/** Ports on which receivers of HTTPS listen, as URLs have them. */
const PORTS: readonly string[] = ['', '8443'];

/**
 * Why no event is sent to a URL, as far as the URL itself says; null where nothing speaks against it. What its name resolves to is
 * looked at when a connection is made.
 */
export function faultOfUrl(text: string, allowPrivate: boolean): string | null {
  const url = text.length <= LONGEST_URL ? URL.parse(text) : null;
  if (!url) return `it is not a URL of at most ${LONGEST_URL} characters`;
  if (url.username !== '' || url.password !== '') return 'it carries a user name or a password';
  if (url.hash !== '') return 'it has a fragment, which is never sent';
  if (allowPrivate) return /^https?:$/.test(url.protocol) ? null : 'it is neither https nor http';
  if (url.protocol !== 'https:') return 'it is not https';
  if (!PORTS.includes(url.port)) return 'its port is neither 443 nor 8443';
  return mayBePublic(url) ? null : 'its host is not public';
}

/** Everything that is wrong with a webhook's fields. */
export function checkFields(fields: WebhookFields, allowed: Allowed): readonly UserError[] {
  return [
    ...checkUrl(fields.url, allowed),
    ...checkEventTypes(fields.eventTypes, allowed),
    ...checkNotificationTypes(fields.notificationTypes),
  ];
}

function checkUrl(url: string | undefined, { allowPrivate }: Allowed): UserError[] {
  const fault = url === undefined ? null : faultOfUrl(url, allowPrivate);
  if (fault === null) return [];
  const message = `Events are not sent to this URL: ${fault}`;
  return [{ code: 'WEBHOOK_URL_REFUSED', message, path: ['input', 'url'] }];
}

function checkEventTypes(named: readonly string[] | undefined, allowed: Allowed): UserError[] {
  if (named === undefined) return [];
  const faults = checkCount(named, 'eventTypes', 1);
  if (faults.length > 0) return faults;
  const { lifecycle, log } = allowed.types;
  const known = [...lifecycle, ...(allowed.mayFollowLog ? log : [])];
  return named.flatMap((type, index) =>
    known.includes(type)
      ? []
      : {
          code: 'EVENT_TYPE_UNKNOWN',
          message: `eventTypes must be among ${known.join(', ')}`,
          path: ['input', 'eventTypes', String(index)],
        },
  );
}

function checkNotificationTypes(named: readonly string[] | undefined): UserError[] {
  if (named === undefined) return [];
  const faults = checkCount(named, 'notificationTypes', 0);
  if (faults.length > 0) return faults;
  return named.flatMap((type, index) =>
    isName(type, 64)
      ? []
      : {
          code: 'TYPE_INVALID',
          message: 'A notification type must have 1 to 64 printable characters',
          path: ['input', 'notificationTypes', String(index)],
        },
  );
}

function checkCount(named: readonly string[], field: string, least: number): UserError[] {
  if (named.length >= least && named.length <= MOST_TYPES) return [];
  const message = `${field} must name ${least} to ${MOST_TYPES} types`;
  return [{ code: 'TOO_MANY_TYPES', message, path: ['input', field] }];
}
