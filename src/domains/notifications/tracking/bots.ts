import { isbot } from 'isbot';

/** What a request says of who made it; names of headers in lower case. */
export interface Visit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/**
 * Who fetches images for readers, or before them, and opens links to look behind them; `isbot` knows most of them and
 * many more. Apple's relay for Mail Privacy Protection calls itself `Mozilla/5.0` and nothing else.
 */
const MAIL_PROXIES =
  /^mozilla\/5\.0$|googleimageproxy|ggpht\.com|yahoomailproxy|yahoo! mail|image ?proxy|mail ?proxy|barracuda|mimecast|proofpoint|safelinks|fireeye|trendmicro|symantec|forcepoint|ironport|zscaler|urldefense/i;

const PREFETCH_HEADERS = ['purpose', 'sec-purpose', 'x-purpose', 'x-moz'];

/** Whether, as far as a request says, no person opened or clicked: a prefetch, a proxy, a scanner, a program. */
export function isSuspectedBot({ method, headers }: Visit): boolean {
  const userAgent = userAgentOf({ headers });
  if (method === 'HEAD' || userAgent === '') return true;
  const isPrefetch = PREFETCH_HEADERS.some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  );
  return isPrefetch || isBotName(userAgent);
}

/** Whether a client with this name is known to be a program. */
export const isBotName = (userAgent: string): boolean =>
  MAIL_PROXIES.test(userAgent.trim()) || isbot(userAgent);

/** Empty where there is none. */
export const userAgentOf = ({ headers }: Pick<Visit, 'headers'>): string =>
  String(headers['user-agent'] ?? '').trim();
