import type { IncomingMessage } from 'node:http';

/**
 * Whether an upgrade may come from where it says it comes from. Browsers always send `Origin`, so another
 * site's page cannot open a socket with a visitor's credentials; other clients send none.
 */
export function originAllowed({ headers }: IncomingMessage, allowedOrigins: readonly string[]): boolean {
  const { origin, host } = headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
