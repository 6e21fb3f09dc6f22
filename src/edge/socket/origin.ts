import type { IncomingMessage } from 'node:http';
import type { MayCall } from '../http/origins.js';

/**
 * Whether an upgrade may come from where it says it comes from. Browsers always send `Origin`, so another
 * site's page cannot open a socket with a visitor's credentials; other clients send none.
 */
export function originAllowed({ headers }: IncomingMessage, mayCall: MayCall): boolean {
  const { origin, host } = headers;
  if (origin === undefined || mayCall(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
